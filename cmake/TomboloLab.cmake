# lab/: what tries Tombolo out. The relay between the sites of an emulated grid, the library that lets ranks sleep while
# they wait, and the commands tombolo-grid and tombolo-unequal, which are scripts/grid and scripts/unequal. None of it
# has anything to do with simulated platforms, and none of it is a library to link to.
if(TOMBOLO_SIMULATED)
  return()
endif()

tombolo_library(lab USES tombolo_platform)

add_executable(tombolo-relay lab/relay/main.cpp)
target_link_libraries(tombolo-relay PRIVATE tombolo_lab CLI11::CLI11 tombolo_settings)
target_compile_options(tombolo-relay PRIVATE $<$<CONFIG:Release>:-O1>)  # options; what relays is in the library

# It is loaded into programs with and without sanitizers, so it has none.
add_library(wait_in_kernel SHARED lab/emulation/wait_in_kernel.c)
target_compile_options(wait_in_kernel PRIVATE -Wall -Wextra -Wshadow -Wconversion -fno-sanitize=all)
target_link_options(wait_in_kernel PRIVATE -fno-sanitize=all)
target_link_libraries(wait_in_kernel PRIVATE ${CMAKE_DL_LIBS})
set_target_properties(wait_in_kernel PROPERTIES
  C_STANDARD 17
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

set(grids ${CMAKE_INSTALL_DATADIR}/tombolo/grids)
install(PROGRAMS tests/support/mpirun DESTINATION ${parts})
install(PROGRAMS lab/emulation/launch DESTINATION ${parts}/emulation)
install(FILES scripts/ending.py scripts/files.py DESTINATION ${parts})
install(DIRECTORY lab/emulation DESTINATION ${parts} FILES_MATCHING PATTERN *.py)
install(TARGETS tombolo-relay RUNTIME DESTINATION ${parts})
install(TARGETS wait_in_kernel LIBRARY DESTINATION ${parts})  # preloaded by its path, linked to by nobody
install(DIRECTORY lab/grids/ DESTINATION ${grids} FILES_MATCHING PATTERN *.toml)

_tombolo_way(TOMBOLO_TO_GRIDS ${parts} ${grids})
_tombolo_way(TOMBOLO_TO_DOCUMENTS ${parts} ${CMAKE_INSTALL_DATADIR}/doc/tombolo)
configure_file(${CMAKE_CURRENT_LIST_DIR}/places.py.in ${PROJECT_BINARY_DIR}/installed/places.py @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/places.py DESTINATION ${parts})

_tombolo_script(grid)
_tombolo_script(unequal)
