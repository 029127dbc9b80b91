#pragma once

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/framework/freivalds.hpp>

#include "matmul/options.hpp"
#include "matmul/problem.hpp"
#include "matmul/reference.hpp"
#include "run/report.hpp"

namespace tombolo::matmul {

/// What became of a run.
struct Result {
  Blocks rows;
  Timeline timeline;
  Verification verification;
  Reference reference;
};

/// Everything that is told of it; what was forecast on rank 0 only.
Report report_of(Session& session, const Options& options, const Problem& problem, const Result& result);

}  // namespace tombolo::matmul
