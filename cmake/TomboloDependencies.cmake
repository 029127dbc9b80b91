# What Tombolo's libraries stand on, from the system's packages; docs/decisions.md says why each was chosen. This file
# is installed too, so that a project which uses the libraries finds the same things in the same way.
#
# Sets TOMBOLO_MISSING to the names of what is not there, separated by commas; whoever includes this says so.

# Ranks, processors and time of a simulated program are SimGrid's, which brings its MPI along and loads the program as a
# shared object. TOMBOLO_SIMULATED says that it is one, or SimGrid's own compiler.
get_filename_component(compiler ${CMAKE_CXX_COMPILER} NAME)
if(compiler STREQUAL "smpicxx")
  set(TOMBOLO_SIMULATED ON)
endif()
if(TOMBOLO_SIMULATED AND NOT TARGET MPI::MPI_CXX)
  find_path(SMPI_INCLUDE smpi/mpi.h)
  find_library(SIMGRID simgrid)
  if(SMPI_INCLUDE AND SIMGRID)
    add_library(MPI::MPI_CXX INTERFACE IMPORTED)
    target_include_directories(MPI::MPI_CXX SYSTEM INTERFACE ${SMPI_INCLUDE}/smpi)
    target_compile_definitions(MPI::MPI_CXX INTERFACE SMPI_NO_OVERRIDE_MALLOC)  # if smpicxx it is
    target_compile_options(MPI::MPI_CXX INTERFACE -fPIC)
    target_link_options(MPI::MPI_CXX INTERFACE -shared -Wl,-z,defs)
    target_link_libraries(MPI::MPI_CXX INTERFACE ${SIMGRID})
  endif()
endif()

# TOMBOLO_MPI says which library real MPI is: mpich, or openmpi. It is found by its own command names, so that another one
# installed beside it is never picked up. A project that has found MPI, or names the compilers of one, keeps that.
if(NOT TOMBOLO_MPI)
  set(TOMBOLO_MPI mpich)
  set(known "${compiler}")
  if(TARGET MPI::MPI_CXX)
    get_target_property(known MPI::MPI_CXX INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  if(known MATCHES "openmpi")
    set(TOMBOLO_MPI openmpi)
  endif()
endif()
if(NOT TOMBOLO_SIMULATED AND NOT TARGET MPI::MPI_CXX)
  find_program(MPI_C_COMPILER mpicc.${TOMBOLO_MPI})
  find_program(MPI_CXX_COMPILER mpicxx.${TOMBOLO_MPI})
  find_program(MPIEXEC_EXECUTABLE mpiexec.${TOMBOLO_MPI})
  set(MPI_CXX_SKIP_MPICXX ON)  # the C interface is all that is used
  if(MPI_CXX_COMPILER)         # else any MPI would do
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
endif()

find_package(fmt QUIET)
find_package(pugixml QUIET)
find_package(PkgConfig QUIET)
pkg_check_modules(openblas QUIET IMPORTED_TARGET openblas)
pkg_check_modules(hwloc QUIET IMPORTED_TARGET hwloc)

# GLPK has no description of its own. Programs that relabel no parts do without it.
find_path(GLPK_INCLUDE glpk.h)
find_library(GLPK glpk)
if(GLPK_INCLUDE AND GLPK AND NOT TARGET GLPK::glpk)
  add_library(GLPK::glpk INTERFACE IMPORTED)
  target_include_directories(GLPK::glpk SYSTEM INTERFACE ${GLPK_INCLUDE})
  target_link_libraries(GLPK::glpk INTERFACE "-Wl,--push-state,--as-needed,${GLPK},--pop-state")
endif()

set(TOMBOLO_MISSING "")
if(NOT PKG_CONFIG_FOUND)
  list(APPEND TOMBOLO_MISSING "pkg-config")
endif()
set(mpi mpicxx.${TOMBOLO_MPI})
if(TOMBOLO_SIMULATED)
  set(mpi SimGrid)
endif()
foreach(need IN ITEMS MPI::MPI_CXX=${mpi} fmt::fmt=fmt pugixml::pugixml=pugixml PkgConfig::openblas=OpenBLAS PkgConfig::hwloc=hwloc GLPK::glpk=GLPK)
  string(REGEX MATCH "(.*)=(.*)" need ${need})
  if(NOT TARGET ${CMAKE_MATCH_1})
    list(APPEND TOMBOLO_MISSING ${CMAKE_MATCH_2})
  endif()
endforeach()
list(JOIN TOMBOLO_MISSING ", " TOMBOLO_MISSING)
