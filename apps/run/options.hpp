#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/framework/mpi/session.hpp>

namespace tombolo {

enum class Shares { speed, equal };

/// What the user may ask of every application that runs in phases; the same on all ranks.
struct RunOptions {
  Shares shares = Shares::speed;
  Session::Kind collectives = Session::Kind::tombolo;
  int threads = 0;       ///< of BLAS per rank; 0: as many as there are cores for
  std::string report;    ///< JSON; none if empty
  bool phantom = false;  ///< in a simulation: no data is held
};

/// The group of options in --help that these belong to.
inline constexpr const char* how_it_runs = "How it runs";

/// Adds --shares, --collectives, --threads, --report and --phantom to a command.
void add_run_options(CLI::App& command, RunOptions& options);

/// The rows of each rank out of all, in proportion to speed or equal.
Blocks shares_of_rows(Shares shares, std::int64_t rows, std::span<const std::int64_t> speeds);

}  // namespace tombolo
