#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/framework/mpi/session.hpp>

namespace CLI {
class App;
}

namespace tombolo {

enum class Shares {
  best,   ///< by speed, on those ranks with which the program is predicted to be the fastest
  speed,  ///< in proportion to the speed of each rank's processor
  equal,
  links  ///< as links and memory allow, where moving data is what takes time
};

/// What the user may ask of every application that runs in phases; the same on all ranks.
struct RunOptions {
  Shares shares = Shares::best;
  Session::Kind collectives = Session::Kind::tombolo;
  std::string platform = {};  ///< a platform file; empty: the one kept for these hosts, or a quick discovery
  std::string tuning = {};    ///< a tuning file; empty: the one that TOMBOLO_TUNING names, if any
  std::string report = {};    ///< JSON; none if empty
  bool phantom = false;       ///< in a simulation: no data is held
};

/// The group of options in --help that these belong to.
inline constexpr const char* how_it_runs = "How it runs";

/// "best", "speed", "equal", "links"
std::string_view name(Shares shares);

/// Add options to a command; its own may stand between them. The shares that options hold before are the default and,
/// beside `speed` and `equal`, what is offered.
void add_shares_and_collectives(CLI::App& command, RunOptions& options);
void add_report_and_phantom(CLI::App& command, RunOptions& options);
/// --trace; `of_what` says which runs are traced where not all of them are, as ", in memory".
void add_trace(CLI::App& command, std::string& trace, const std::string& of_what = "");

/// Lets a session use the files that are named. Throws AgreedError. Collective.
void use_platform_and_tuning(Session& session, const RunOptions& options);

}  // namespace tombolo
