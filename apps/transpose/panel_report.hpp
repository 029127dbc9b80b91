#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/framework/mpi/matrix_file.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "run/report.hpp"
#include "transpose/options.hpp"
#include "transpose/panel_memory.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

inline constexpr std::array panel_phases{"pack", "alltoallv", "transpose"};

/// What one rank's part of all panels came to.
struct PanelFigures {
  std::array<double, panel_phases.size()> seconds{};
  double read_s = 0;
  double write_s = 0;
  std::uint64_t hash_of_a = 0;
  std::uint64_t hash_of_b = 0;  ///< places counted transposed
};

/// A run that is over.
struct PanelRun {
  std::string how;            ///< "12 panels of 4000 x 20000"
  std::vector<Phase> phases;  ///< on rank 0
  PanelMemory memory;
  double moved = 0;  ///< bytes that are packed, and transposed
  std::vector<BytesPerSecond> speeds;
  PanelFigures mine;
};

/// Everything that is told of it. Collective.
Report report_of(Session& session, const Options& options, const Problem& problem, const PanelRun& run);

/// Ends the run: the file stands under its name unless it is wrong. Throws AgreedError. Collective.
void deliver_file(Session& session, const Report& report, MatrixFileWriter& file);

}  // namespace tombolo::transposition
