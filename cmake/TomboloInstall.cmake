# cmake --install: the command, the libraries with their headers, what find_package(tombolo) and pkg-config read, the
# documentation.
# The tree it makes can be moved. Libraries and folders are those that TomboloLibrary has been told of. One tree holds what
# is for MPICH, for Open MPI (preset openmpi), for simulated platforms (preset smpi), or several of them: what differs has
# other places or names.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TOMBOLO_LIBRARIES)
get_property(headers GLOBAL PROPERTY TOMBOLO_HEADERS)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tombolo)
set(parts ${CMAKE_INSTALL_LIBEXECDIR}/tombolo)  # of the commands that are scripts
set(commands ${CMAKE_INSTALL_BINDIR})
set(targets tomboloTargets)
set(TOMBOLO_PC tombolo)
if(TOMBOLO_SIMULATED)
  set(commands ${parts}/simulated)  # where tombolo-simulate finds it
  set(targets tomboloSimulatedTargets)
  set(TOMBOLO_PC tombolo-simulated)
  set(TOMBOLO_CFLAGS " -DSMPI_NO_OVERRIDE_MALLOC")
elseif(TOMBOLO_MPI STREQUAL "openmpi")
  set(targets tomboloOpenmpiTargets)
  set(TOMBOLO_PC tombolo-openmpi)
endif()

# All of them at once. The target of the command has the name `tombolo` already.
add_library(tombolo_libraries INTERFACE)
add_library(tombolo::tombolo ALIAS tombolo_libraries)
set_target_properties(tombolo_libraries PROPERTIES EXPORT_NAME tombolo)
target_link_libraries(tombolo_libraries INTERFACE ${libraries})

if(TOMBOLO_SIMULATED OR TOMBOLO_MPI STREQUAL "mpich")
  install(TARGETS tombolo RUNTIME DESTINATION ${commands})
else()
  install(PROGRAMS $<TARGET_FILE:tombolo> DESTINATION ${commands} RENAME tombolo.${TOMBOLO_MPI})
endif()
install(TARGETS ${libraries} tombolo_libraries EXPORT tombolo
  ARCHIVE DESTINATION ${TOMBOLO_ARCHIVES}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tombolo NAMESPACE tombolo:: FILE ${targets}.cmake DESTINATION ${package})

# The public headers, and no others.
foreach(header IN LISTS headers)
  install(FILES include/tombolo/${header}.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tombolo)
endforeach()

# Before 1.0 a minor version may break what uses it.
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tomboloConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES
  ${CMAKE_CURRENT_LIST_DIR}/tomboloConfig.cmake
  ${CMAKE_CURRENT_LIST_DIR}/TomboloDependencies.cmake
  ${PROJECT_BINARY_DIR}/tomboloConfigVersion.cmake
  DESTINATION ${package})

# A library comes before those that it uses, which were made before it.
set(TOMBOLO_LINKED ${libraries})
list(REVERSE TOMBOLO_LINKED)
list(TRANSFORM TOMBOLO_LINKED PREPEND -l)
list(JOIN TOMBOLO_LINKED " " TOMBOLO_LINKED)
file(RELATIVE_PATH TOMBOLO_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" TOMBOLO_UP ${TOMBOLO_UP})
configure_file(${CMAKE_CURRENT_LIST_DIR}/tombolo.pc.in ${PROJECT_BINARY_DIR}/${TOMBOLO_PC}.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/${TOMBOLO_PC}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES README.md CONTRIBUTING.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN Doxyfile EXCLUDE)
# relay.cpp is an algorithm for Tombolo's own tree.
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE PATTERN relay.cpp EXCLUDE)

# Commands that are scripts: links in bin to these, which lie in libexec with all that they start, preload or read.

# From one folder of the installed tree to another, so that the tree can be moved.
function(_tombolo_way result from to)
  file(RELATIVE_PATH way ${CMAKE_INSTALL_PREFIX}/${from} ${CMAKE_INSTALL_PREFIX}/${to})
  set(${result} ${way} PARENT_SCOPE)
endfunction()

function(_tombolo_script script)
  install(PROGRAMS scripts/${script} DESTINATION ${parts})
  _tombolo_way(way ${CMAKE_INSTALL_BINDIR} ${parts})
  set(link ${PROJECT_BINARY_DIR}/installed/tombolo-${script})
  file(CREATE_LINK ${way}/${script} ${link} SYMBOLIC)
  install(FILES ${link} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# tombolo-simulate, and the platforms that come along.
set(platforms ${CMAKE_INSTALL_DATADIR}/tombolo/platforms)
install(DIRECTORY lab/platforms/ DESTINATION ${platforms})
_tombolo_way(TOMBOLO_TO_PLATFORMS ${parts} ${platforms})
configure_file(${CMAKE_CURRENT_LIST_DIR}/simulate_places.in ${PROJECT_BINARY_DIR}/installed/simulate_places @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/simulate_places DESTINATION ${parts})
_tombolo_script(simulate)
