#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/collectives/plan/plan.hpp>

#include "output.hpp"

namespace tombolo::benchmarking {

/// Measurements of one implementation in one cell: operation, size and root.
struct Figure {
  Operation operation = Operation::barrier;
  bool native = false;
  std::string algorithm;  ///< of a plan; of native ones "native"
  std::string how;        ///< the algorithm with its parameters
  Parameters parameters{};
  int ranks = 1;
  Rank root = 0;
  Bytes bytes = 0;                         ///< as regular_bytes counts them
  Timing timing{};                         ///< without times where it was only checked
  std::optional<Picoseconds> predicted{};  ///< of a plan
  Picoseconds bound = 0;
  std::optional<bool> right{};  ///< whether the results were MPI's; nothing where that was not checked
};

/// The machines and libraries of the figures.
struct Environment {
  std::string mpi;
  std::string platform;                ///< where it came from
  std::vector<std::string> guesses{};  ///< what predictions and bounds rest on (guesses.hpp)
  int hosts = 1;
  bool simulated = false;
  double precision = 0;
  bool keep_times = false;  ///< JSON has every single one
};

// In the order in which they were taken: cells together.
std::string to_text(const std::vector<Figure>& figures, const Environment& environment);
std::string to_csv(const std::vector<Figure>& figures, const Environment& environment);
std::string to_json(const std::vector<Figure>& figures, const Environment& environment);

/// Times over sizes, a picture per operation and root: native, the fastest of what was planned whatever its algorithm,
/// the algorithms where there are several, what was predicted of the fastest, and the bound.
Pictures pictures(const std::vector<Figure>& figures);

}  // namespace tombolo::benchmarking
