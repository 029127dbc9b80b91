# What an emulated grid needs besides scripts/grid: the relay between its sites, and the library that lets waiting ranks
# sleep. None of it has anything to do with simulated platforms.
if(TOMBOLO_SIMULATED)
  return()
endif()

tombolo_library(grid USES tombolo_platform)

add_executable(tombolo-relay ${PROJECT_SOURCE_DIR}/grid/main.cpp)
target_link_libraries(tombolo-relay PRIVATE tombolo_grid CLI11::CLI11 tombolo_settings)

# It is loaded into programs with and without sanitizers, so it has none.
add_library(wait_in_kernel SHARED ${PROJECT_SOURCE_DIR}/grid/wait_in_kernel.c)
target_compile_options(wait_in_kernel PRIVATE -Wall -Wextra -Wshadow -Wconversion -fno-sanitize=all)
target_link_options(wait_in_kernel PRIVATE -fno-sanitize=all)
target_link_libraries(wait_in_kernel PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(wait_in_kernel PROPERTIES
  C_STANDARD 17
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
