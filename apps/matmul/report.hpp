#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/framework/freivalds.hpp>
#include <tombolo/platform/processor.hpp>

#include "matmul/forecast.hpp"
#include "matmul/options.hpp"
#include "matmul/reference.hpp"
#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// The product is known to be wrong. A product that holds or meets values that are not finite cannot be judged, which
/// is neither wrong nor verified.
constexpr bool is_wrong(const Verification& verification) {
  return verification.decided && !verification.ok;
}

/// Everything that is told of one run.
struct Report {
  Options options;
  Problem problem;
  std::vector<Processor> processors;
  Blocks rows;
  std::string model;
  std::string mpi_library;
  std::array<PhaseForecast, phases> forecast;
  std::vector<PhaseEnds> ends;  ///< of each rank
  bool phantom = false;         ///< nothing was held and multiplied, so nothing can be verified
  Verification verification;
  Reference reference;

  /// From the end of the phase before, on whichever rank that was latest, to the end of this one: they add up to
  /// total().
  double phase_seconds(std::size_t phase) const;
  double total() const;
  double predicted() const;
  double bound() const;
  /// What one rank spent in a phase, waiting included.
  double rank_seconds(std::size_t rank, std::size_t phase) const;
  double rank_flops(std::size_t rank) const;
  /// Flop/s of the compute phase, of one rank and of all, and of the reference; 0 where there was nothing to do.
  double rank_speed(std::size_t rank) const;
  double compute_speed() const;
  double reference_speed() const;
};

/// What a reader of the times should know, a line each.
std::vector<std::string> notes(const Report& report);

/// Tables for people, and one JSON object for programs.
std::string to_text(const Report& report);
std::string to_json(const Report& report);

}  // namespace tombolo::matmul
