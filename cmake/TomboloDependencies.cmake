# Everything Tombolo stands on, from the system's packages; docs/decisions.md says why each was chosen.

if(TOMBOLO_SIMULATED)
  # SimGrid's compiler brings its MPI along. Its forced header would rename malloc and exit, also where they are members.
  add_library(MPI::MPI_CXX INTERFACE IMPORTED)
  target_compile_definitions(MPI::MPI_CXX INTERFACE SMPI_NO_OVERRIDE_MALLOC)
  target_compile_options(MPI::MPI_CXX INTERFACE "SHELL:-include ${CMAKE_CURRENT_LIST_DIR}/keep_exit.h")
  find_program(MPIEXEC_EXECUTABLE smpirun REQUIRED)
else()
  # MPICH by its own command names, so that an Open MPI installed beside it is never picked up.
  foreach(lang C CXX)
    if(NOT MPI_${lang}_COMPILER)
      string(TOLOWER mpi${lang}.mpich wrapper)
      string(REPLACE mpic.mpich mpicc.mpich wrapper ${wrapper})
      find_program(MPI_${lang}_COMPILER ${wrapper} REQUIRED)
    endif()
  endforeach()
  find_program(MPIEXEC_EXECUTABLE mpiexec.mpich REQUIRED)
  set(MPI_CXX_SKIP_MPICXX ON)  # the C interface is all that is used
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()

find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
