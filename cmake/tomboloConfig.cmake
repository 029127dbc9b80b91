# find_package(tombolo): each library as tombolo::FOLDER, its part that calls MPI as tombolo::FOLDER_mpi, all of them as
# tombolo::tombolo. COMPONENTS may name those that the project uses, without the tombolo::.
cmake_policy(VERSION 3.25)

# A function, so that the variables of what it finds do not become the project's.
function(_tombolo_find_dependencies)
  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TomboloDependencies.cmake)
  set(TOMBOLO_MISSING "${TOMBOLO_MISSING}" PARENT_SCOPE)
endfunction()

_tombolo_find_dependencies()
if(TOMBOLO_MISSING)
  set(tombolo_FOUND FALSE)
  set(tombolo_NOT_FOUND_MESSAGE "tombolo needs what is not installed: ${TOMBOLO_MISSING}")
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/tomboloTargets.cmake)
foreach(component IN LISTS tombolo_FIND_COMPONENTS)
  if(TARGET tombolo::${component})
    set(tombolo_${component}_FOUND TRUE)
  elseif(tombolo_FIND_REQUIRED_${component})
    set(tombolo_FOUND FALSE)
    set(tombolo_NOT_FOUND_MESSAGE "tombolo has no library ${component}")
  endif()
endforeach()
