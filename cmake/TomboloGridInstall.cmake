# tombolo-grid and tombolo-unequal, which are scripts/grid and scripts/unequal. Descriptions of grids are data, in share.
# Nothing of it has anything to do with simulated platforms.
if(TOMBOLO_SIMULATED)
  return()
endif()

set(grids ${CMAKE_INSTALL_DATADIR}/tombolo/grids)

install(PROGRAMS tests/support/mpirun DESTINATION ${parts})
install(PROGRAMS scripts/grid_parts/launch DESTINATION ${parts}/grid_parts)
install(FILES scripts/caretaker.py scripts/ending.py scripts/files.py scripts/quotas.py scripts/waiting.py
  DESTINATION ${parts})
install(DIRECTORY scripts/grid_parts DESTINATION ${parts} FILES_MATCHING PATTERN *.py)
install(TARGETS tombolo-relay RUNTIME DESTINATION ${parts})
install(TARGETS wait_in_kernel LIBRARY DESTINATION ${parts})  # preloaded by its path, linked to by nobody
install(DIRECTORY grids/ DESTINATION ${grids} FILES_MATCHING PATTERN *.toml)

_tombolo_way(TOMBOLO_TO_GRIDS ${parts} ${grids})
_tombolo_way(TOMBOLO_TO_DOCUMENTS ${parts} ${CMAKE_INSTALL_DATADIR}/doc/tombolo)
configure_file(${CMAKE_CURRENT_LIST_DIR}/places.py.in ${PROJECT_BINARY_DIR}/installed/places.py @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/places.py DESTINATION ${parts})

_tombolo_script(grid)
_tombolo_script(unequal)
