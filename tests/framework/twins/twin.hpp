#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

#include <mpi.h>

/// A twin is an example without Tombolo, to be compared with it: plain MPI, equal shares.

/// The number after an option, or else the one given.
inline double option(int argc, char** argv, const std::string& name, double otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (argv[i] == name) return std::atof(argv[i + 1]);
  }
  return otherwise;
}

inline std::int64_t whole_option(int argc, char** argv, const std::string& name, std::int64_t otherwise) {
  return static_cast<std::int64_t>(option(argc, argv, name, static_cast<double>(otherwise)));
}

/// This argument, which has to be there.
inline std::string argument(int argc, char** argv, int number, const std::string& what) {
  if (number >= argc) throw std::runtime_error(what + " is missing; give it as argument " + std::to_string(number));
  return argv[number];
}

/// Runs a twin under MPI.
template <class Twin>
int run_twin(int argc, char** argv, const Twin& twin) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  try {
    twin(argc, argv, rank, ranks);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // else mpiexec may lose that line
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return MPI_Finalize();
}
