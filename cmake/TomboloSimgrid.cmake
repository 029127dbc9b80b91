# tombolo-simgrid-routes, by which SimGrid reads platform descriptions for Tombolo: a program of its own, since libsimgrid
# defines MPI's functions. Without SimGrid the command says what is missing where a description is to be read.
find_path(SIMGRID_INCLUDE simgrid/s4u.hpp)
find_library(SIMGRID simgrid)
if(NOT SIMGRID_INCLUDE OR NOT SIMGRID)
  message(STATUS "SimGrid is not installed: its platform descriptions cannot be read")
  return()
endif()

add_executable(tombolo-simgrid-routes platform/simgrid/main.cpp)
target_include_directories(tombolo-simgrid-routes SYSTEM PRIVATE ${SIMGRID_INCLUDE})
target_link_libraries(tombolo-simgrid-routes PRIVATE ${SIMGRID} nlohmann_json::nlohmann_json tombolo_settings)
# SimGrid is not instrumented, and ends the process where it pleases.
target_compile_options(tombolo-simgrid-routes PRIVATE -fno-sanitize=all)
target_link_options(tombolo-simgrid-routes PRIVATE -fno-sanitize=all)
install(TARGETS tombolo-simgrid-routes RUNTIME DESTINATION ${parts})
