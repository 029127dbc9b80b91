#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/counts.hpp>
#include <tombolo/framework/program/report/run_report.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "run/options.hpp"

namespace tombolo {

/// The machines and settings of a run.
struct Environment {
  std::vector<Processor> processors;  ///< of each rank
  std::string model;                  ///< of communication
  std::string source;                 ///< where what is known of links came from
  std::string mpi_library;
};

/// Local; throws as Session::planner().
Environment environment_of(const Session& session);

/// The work of ranks by themselves in some of the phases, counted in units, and the words for its speed.
struct Work {
  std::vector<double> amount;        ///< of each rank, in units
  std::vector<std::int64_t> probed;  ///< units per second of each rank, measured before the run; 0 where not measured
  std::vector<std::size_t> phases;   ///< in which it is done
  std::string unit;                  ///< "flop": tables say Gflop/s
  std::string key;                   ///< "flops": JSON members that hold units per second are called so, or end so
  std::string verb;                  ///< "compute"
  std::string gerund;                ///< "computing"

  double total() const;
};

/// amount / seconds; 0 where that took no time.
constexpr double per_second(double amount, double seconds) {
  return seconds > 0 ? amount / seconds : 0;
}

/// The verdict on a result, which is neither verified nor wrong if it cannot be judged.
struct Verdict {
  bool verified = false;
  bool wrong = false;
  std::string words;              ///< a line
  Json details = Json::object();  ///< the JSON member "verification"
};

/// Everything that is told of one run of an application, beside the RunReport of its tasks. Lines end without '\n'.
struct Report {
  std::string what;  ///< the first line begins so, and goes on with how it ran
  Json input;        ///< the same for programs: the first members of the JSON object
  RunOptions options;
  std::optional<Rank> root;  ///< for applications that have one
  Environment platform;
  std::string shared = "rows";   ///< what is shared out: "columns", "blocks"
  std::string counted = "rows";  ///< of which each rank has
  Blocks rows;                   ///< so many
  RunReport run;
  Work work;
  bool phantom = false;  ///< the data was not held, so nothing can be verified
  Verdict verdict;
  std::vector<std::string> notes;    ///< what a reader of the times should know
  std::vector<std::string> remarks;  ///< the last lines
  Json more = Json::object();        ///< the last members

  /// Units per second reached in the phases of work, by one rank, and by all until the slowest was done; 0 where there
  /// was nothing to do.
  double rank_speed(std::size_t rank) const;
  double speed() const;
};

/// The items of each rank of the session in the first slices of a program.
Blocks shares_of(const RunReport& run);

/// No plans on these links, and no shares of these speeds, can be faster, in seconds.
double bound_of(const RunReport& run);

/// Returns the verdict on a run on phantom memory.
Verdict verdict_on_phantoms();

/// A note for each host whose ranks have to take turns.
std::vector<std::string> notes_on_crowding(const std::vector<Processor>& processors);

/// Tables for people, and one JSON object for programs.
std::string to_text(const Report& report);
std::string to_json(const Report& report);

/// Ends a run: writes the JSON report if it was asked for, lets the application write its result, and prints the text.
/// `write_result` is called on every rank, may communicate, and throws AgreedError where it fails; a wrong result is
/// not written, and `if_wrong` is then thrown last. Throws AgreedError on all ranks. Collective.
void deliver(Session& session, const Report& report, const std::function<void()>& write_result, const Error& if_wrong);

}  // namespace tombolo
