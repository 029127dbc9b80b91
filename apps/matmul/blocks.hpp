#pragma once

#include <vector>

#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/session.hpp>

#include "matmul/options.hpp"
#include "matmul/problem.hpp"
#include "run/memory_limit.hpp"
#include "run/recording.hpp"

namespace tombolo::matmul {

/// Multiplies block after block of C. Blocks are such that no rank takes more than the limit, and take at most about
/// options.recording.every_s to compute on ranks of these speeds if they are recorded. Verifies, writes and records
/// each; goes on from the blocks of an earlier run if that is asked for; reports, and gives the file its name. Throws
/// AgreedError. Collective.
template <class T>
void multiply_in_blocks(Session& session, const Options& options, const Problem& problem,
                        const std::vector<FlopsPerSecond>& speeds, const MemoryLimit& limit, BetweenPanels& between,
                        ProgressPrinter& progress);

}  // namespace tombolo::matmul
