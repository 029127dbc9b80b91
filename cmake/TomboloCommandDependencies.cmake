# What it takes to build Tombolo and to start the commands, beyond what programs with the libraries stand on too
# (cmake/TomboloDependencies.cmake).

if(TOMBOLO_MISSING)
  message(FATAL_ERROR "Tombolo needs what is not installed: ${TOMBOLO_MISSING}; run scripts/setup")
endif()
if(TOMBOLO_SIMULATED)
  find_program(MPIEXEC_EXECUTABLE smpirun REQUIRED)
else()
  find_program(MPIEXEC_EXECUTABLE mpiexec.${TOMBOLO_MPI} REQUIRED)
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
