#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include <tombolo/framework/program/plan/workers.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/session.hpp>

#include "option_group.hpp"

namespace tombolo {

/// The options of every application that runs in phases; the same on all ranks.
struct RunOptions {
  SharePolicy shares = SharePolicy::best;
  const char* best = "best";  ///< the word for SharePolicy::best: "links" where moving data is what takes time
  Session::Kind collectives = Session::Kind::tombolo;
  std::string platform = {};  ///< a platform file; empty: the one kept for these hosts, or a quick discovery
  std::string tuning = {};    ///< a tuning file; empty: the one that TOMBOLO_TUNING names, if any
  std::string report = {};    ///< JSON; none if empty
  bool phantom = false;       ///< in a simulation: no data is held

  /// The word for the share policy: "best", "links", "speed", "equal"
  const char* shares_name() const;
};

/// The group of options in --help that these belong to.
inline constexpr const char* how_it_runs = "How it runs";

/// Add options to a command; its own may stand between them.
void add_shares_and_collectives(CLI::App& command, RunOptions& options);
void add_report_and_phantom(CLI::App& command, RunOptions& options);
/// --trace; `of_what` says which runs are traced where not all of them are, as ", in memory".
void add_trace(CLI::App& command, std::string& trace, const std::string& of_what = "");

/// Lets a session use the files that are named. Throws AgreedError. Collective.
void use_platform_and_tuning(Session& session, const RunOptions& options);

/// The option that states a dimension of a generated matrix, and its value, 0 where it was not given.
using Dimension = std::pair<const char*, std::int64_t*>;

/// Sets the dimensions that were not given to `size`, the value of --size. Throws Error where that is 0 as well; `none`
/// says so where nothing was given at all, `remedy` what to give.
void complete_dimensions(std::int64_t size, std::initializer_list<Dimension> dimensions, const char* none,
                         const char* remedy);

// Checks of every application before any work. They throw Error on the rank that finds something, so call them within
// agree().

/// The rank given to --root must exist.
void check_root(const Session& session, Rank root);

/// Bytes of a matrix. Throws Error where it or a dimension passes 2^60, from which sums of sizes could overflow.
Bytes bytes_of(const MatrixShape& shape, ElementType type);
void check_size(const MatrixShape& shape, ElementType type);

/// --phantom is for simulations.
void check_phantom_wanted(const RunOptions& options);

/// A run on phantom memory, which holds nothing, must not be given an output by `option`.
void check_phantom_output(const Session& session, const std::string& option, const std::string& path);

/// Rank 0 must be able to write the report, if there will be one.
void check_report(const Session& session, const RunOptions& options);

}  // namespace tombolo
