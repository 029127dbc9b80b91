# CHOLMOD::CHOLMOD, SuiteSparse's, which reads Matrix Market files for an example and its twin. Debian's has no
# description.
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CHOLMOD REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run scripts/setup")

if(CHOLMOD_FOUND AND NOT TARGET CHOLMOD::CHOLMOD)
  add_library(CHOLMOD::CHOLMOD INTERFACE IMPORTED)
  target_include_directories(CHOLMOD::CHOLMOD SYSTEM INTERFACE ${CHOLMOD_INCLUDE_DIR})
  target_link_libraries(CHOLMOD::CHOLMOD INTERFACE ${CHOLMOD_LIBRARY})
endif()
