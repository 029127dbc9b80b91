#pragma once

#include <vector>

#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/session.hpp>

#include "matmul/options.hpp"
#include "matmul/problem.hpp"

namespace tombolo::matmul {

/// Multiplies block of rows after block of rows, each as high as takes about options.recording.every_s to compute on
/// ranks of these speeds; verifies, writes and records each; goes on from the blocks of an earlier run if that is asked
/// for; reports, and gives the file its name. Throws AgreedError. Collective.
template <class T>
void multiply_in_blocks(Session& session, const Options& options, const Problem& problem,
                        const std::vector<FlopsPerSecond>& speeds, ProgressPrinter& progress);

}  // namespace tombolo::matmul
