#pragma once

#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/matrix.hpp>

#include "matmul/options.hpp"
#include "matmul/problem.hpp"
#include "matmul/reference.hpp"
#include "run/report.hpp"

namespace tombolo::matmul {

/// What became of a run.
struct Result {
  RunReport run;
  Verification verification;
  Reference reference;
};

/// Everything that is told of it.
Report report_of(Session& session, const Options& options, const Problem& problem, const Result& result);

}  // namespace tombolo::matmul
