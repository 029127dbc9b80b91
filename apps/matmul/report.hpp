#pragma once

#include <string>
#include <utility>

#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/matrix.hpp>

#include "matmul/method.hpp"
#include "matmul/options.hpp"
#include "matmul/problem.hpp"
#include "matmul/reference.hpp"
#include "run/report.hpp"

namespace tombolo::matmul {

/// The measurements of a run.
struct Result {
  RunReport run;
  Verification verification;
  Reference reference;
  std::string algorithm = {};               ///< "rows", "columns"
  std::vector<std::size_t> computing = {};  ///< the tasks in which ranks multiply
  std::vector<Part> parts_of_c = {};        ///< of columns, by rank
  std::vector<Forecast> compared = {};      ///< the ways that were compared, the chosen one first
  std::vector<Rank> of_worst_row = {};      ///< ranks that have computed parts of the row that verification names
  std::string plan = {};                    ///< if it is to be explained: the tasks of the program, with their plans
};

/// Returns a run of the program of a product with what the program tells of it.
template <class T>
Result result_of(RunReport run, const Declared<T>& declared, const Options& options) {
  return {.run = std::move(run),
          .verification = {},
          .reference = {},
          .algorithm = declared.algorithm,
          .computing = declared.matrices.computing,
          .parts_of_c = declared.parts_of_c,
          .compared = declared.compared,
          .plan = options.explain ? declared.program->explain() : std::string()};
}

/// Ways that were compared, the chosen one first: as JSON; in a line, of one or more; and each with its figures.
Json to_json(const std::vector<Forecast>& compared);
std::string chosen_of(const std::vector<Forecast>& compared);
std::string explained(const std::vector<Forecast>& compared);

/// Returns the error of a run whose product is wrong.
Error was_not_written();

/// Returns the report of a run.
Report report_of(Session& session, const Options& options, const Problem& problem, const Result& result);

}  // namespace tombolo::matmul
