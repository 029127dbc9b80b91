# What Tombolo's libraries stand on, from the system's packages; docs/decisions.md says why each was chosen. This file
# is installed too, so that a project which uses the libraries finds the same things in the same way.
#
# Sets TOMBOLO_MISSING to the names of what is not there, separated by commas; whoever includes this says so.

# SimGrid's compiler makes programs whose ranks, processors and time are simulated, and brings its MPI along.
get_filename_component(compiler ${CMAKE_CXX_COMPILER} NAME)
string(COMPARE EQUAL ${compiler} smpicxx TOMBOLO_SIMULATED)
if(TOMBOLO_SIMULATED AND NOT TARGET MPI::MPI_CXX)
  # Its forced header would rename malloc and exit, also where they are members.
  add_library(MPI::MPI_CXX INTERFACE IMPORTED)
  target_compile_definitions(MPI::MPI_CXX INTERFACE SMPI_NO_OVERRIDE_MALLOC)
  target_compile_options(MPI::MPI_CXX INTERFACE "SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/keep_exit.h")
endif()

# MPICH by its own command names, so that an Open MPI installed beside it is never picked up. A project that has found
# MPI, or names the compilers of one, keeps that.
if(NOT TARGET MPI::MPI_CXX)
  find_program(MPI_C_COMPILER mpicc.mpich)
  find_program(MPI_CXX_COMPILER mpicxx.mpich)
  find_program(MPIEXEC_EXECUTABLE mpiexec.mpich)
  set(MPI_CXX_SKIP_MPICXX ON)  # the C interface is all that is used
  if(MPI_CXX_COMPILER)         # else any MPI would do
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
endif()

find_package(fmt QUIET)
find_package(nlohmann_json QUIET)
find_package(pugixml QUIET)
find_package(PkgConfig QUIET)
pkg_check_modules(openblas QUIET IMPORTED_TARGET openblas)
pkg_check_modules(hwloc QUIET IMPORTED_TARGET hwloc)

set(TOMBOLO_MISSING "")
if(NOT PKG_CONFIG_FOUND)
  list(APPEND TOMBOLO_MISSING "pkg-config")
endif()
foreach(need IN ITEMS MPI::MPI_CXX=MPICH fmt::fmt=fmt nlohmann_json::nlohmann_json=nlohmann-json
        pugixml::pugixml=pugixml PkgConfig::openblas=OpenBLAS PkgConfig::hwloc=hwloc)
  string(REGEX MATCH "(.*)=(.*)" need ${need})
  if(NOT TARGET ${CMAKE_MATCH_1})
    list(APPEND TOMBOLO_MISSING ${CMAKE_MATCH_2})
  endif()
endforeach()
list(JOIN TOMBOLO_MISSING ", " TOMBOLO_MISSING)
