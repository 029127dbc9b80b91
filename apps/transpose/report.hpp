#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/counts.hpp>

#include "run/report.hpp"
#include "transpose/options.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// The measurements of a run.
struct Result {
  std::vector<BytesPerSecond> speeds;  ///< measured before
  std::string algorithm;
  std::vector<double> moved;            ///< bytes that each rank moves by itself
  std::vector<std::size_t> own_phases;  ///< in which it does
  RunReport run;
  std::uint64_t hash_of_a = 0;
  std::uint64_t hash_of_b = 0;  ///< places counted transposed
};

/// "B = A^T: A 300 x 200, float64, by rows, B by rows"
std::string described(const Layouts& layouts, ElementType type);

/// Returns the unit of a layout, "rows", "columns" or "elements", and the number that each rank has.
std::pair<std::string, Blocks> shares_of(const Layout& a);

/// Returns the report of a run; with forecasts on rank 0 only.
Report report_of(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                 const Result& result);

/// By the sums of hashes over all of A, and over all of B with places counted transposed (matrix_hash.hpp).
Verdict verdict_on(std::uint64_t hash_of_a, std::uint64_t hash_of_b);

/// Ends the run by deliver(): `write` stores B unless it is wrong. Throws AgreedError. Collective.
void deliver_transpose(Session& session, const Report& report, const std::function<void()>& write);

}  // namespace tombolo::transposition
