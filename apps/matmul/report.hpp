#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/framework/freivalds.hpp>
#include <tombolo/platform/processor.hpp>

#include "matmul/forecast.hpp"
#include "matmul/options.hpp"
#include "matmul/rows.hpp"

namespace tombolo::matmul {

/// The same product on the root alone with all its cores, where --reference asks for it.
struct Reference {
  bool measured = false;
  int threads = 0;
  double seconds = 0;
};

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
  /// Flop/s of the compute phase: of one rank, and of all.
  double rank_speed(std::size_t rank) const;
  double compute_speed() const;
};

/// Tables for people, and one JSON object for programs.
std::string to_text(const Report& report);
std::string to_json(const Report& report);

}  // namespace tombolo::matmul
