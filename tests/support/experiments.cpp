// Makes the experiments that stand in a file and says what they took, for tests on simulated platforms:
//
//   experiments FILE LEAST MOST [serial]
//
// One experiment a line: kind (by its number), a, b, c, there, back, count, delay. The first line of the output is what
// they cost (measurements, messages, seconds), the others are the times in picoseconds.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/models/mpi/mpi_laboratory.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

using namespace tombolo;

namespace {

std::vector<Experiment> read(const char* path) {
  std::ifstream file(path);
  std::vector<Experiment> experiments;
  Experiment one;
  for (int kind = 0; file >> kind >> one.a >> one.b >> one.c >> one.there >> one.back >> one.count >> one.delay;) {
    one.kind = static_cast<Experiment::Kind>(kind);
    experiments.push_back(one);
  }
  return experiments;
}

// Which ranks share a host is all that the laboratory wants to know.
Platform platform() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(name, &length);
  Platform found;
  for (int rank = 0; rank < ranks; ++rank) {
    Processor processor;
    processor.host = text_from(MPI_COMM_WORLD, rank, name);
    found.processors.push_back(processor);
  }
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    MpiLaboratory laboratory(MPI_COMM_WORLD, platform(), {.serial = argc > 4});
    const std::vector<Measured> times =
        laboratory.run(read(argv[1]), {.least = std::atoi(argv[2]), .most = std::atoi(argv[3])});
    const ExperimentCost cost = laboratory.cost();
    if (rank == 0) {
      std::cout << fmt::format("{} {} {:.9f}\n", cost.measurements, cost.messages, cost.seconds);
      for (const Measured& time : times) std::cout << time.value << '\n';
    }
  }
  MPI_Finalize();
  return 0;
}
