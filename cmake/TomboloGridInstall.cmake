# tombolo-grid and tombolo-unequal, which are scripts/grid and scripts/unequal: links in bin to the scripts, which lie in
# libexec with all that they start or preload. Descriptions of grids are data, in share. Nothing of it has anything to
# do with simulated platforms.
if(TOMBOLO_SIMULATED)
  return()
endif()

set(parts ${CMAKE_INSTALL_LIBEXECDIR}/tombolo)
set(grids ${CMAKE_INSTALL_DATADIR}/tombolo/grids)

install(PROGRAMS scripts/grid scripts/unequal tests/support/mpirun DESTINATION ${parts})
install(PROGRAMS scripts/grid_parts/launch DESTINATION ${parts}/grid_parts)
install(FILES scripts/caretaker.py scripts/ending.py scripts/files.py scripts/quotas.py scripts/waiting.py
  DESTINATION ${parts})
install(DIRECTORY scripts/grid_parts DESTINATION ${parts} FILES_MATCHING PATTERN *.py)
install(TARGETS tombolo-relay RUNTIME DESTINATION ${parts})
install(TARGETS wait_in_kernel LIBRARY DESTINATION ${parts})  # preloaded by its path, linked to by nobody
install(DIRECTORY grids/ DESTINATION ${grids} FILES_MATCHING PATTERN *.toml)

# From one folder of the installed tree to another, so that the tree can be moved.
function(_tombolo_way result from to)
  file(RELATIVE_PATH way ${CMAKE_INSTALL_PREFIX}/${from} ${CMAKE_INSTALL_PREFIX}/${to})
  set(${result} ${way} PARENT_SCOPE)
endfunction()
_tombolo_way(TOMBOLO_TO_GRIDS ${parts} ${grids})
_tombolo_way(TOMBOLO_TO_DOCUMENTS ${parts} ${CMAKE_INSTALL_DATADIR}/doc/tombolo)
configure_file(${CMAKE_CURRENT_LIST_DIR}/places.py.in ${PROJECT_BINARY_DIR}/installed/places.py @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/places.py DESTINATION ${parts})

_tombolo_way(way ${CMAKE_INSTALL_BINDIR} ${parts})
foreach(script IN ITEMS grid unequal)
  set(link ${PROJECT_BINARY_DIR}/installed/tombolo-${script})
  file(CREATE_LINK ${way}/${script} ${link} SYMBOLIC)
  install(FILES ${link} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
