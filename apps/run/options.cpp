#include "run/options.hpp"

#include <map>

#include <tombolo/framework/shares.hpp>

#include "tuning_option.hpp"
#include "validators.hpp"

namespace tombolo {

std::string_view name(Shares shares) {
  return shares == Shares::speed ? "speed" : shares == Shares::equal ? "equal" : "links";
}

void add_shares_and_collectives(CLI::App& command, RunOptions& options) {
  std::map<std::string, Shares> choices{{"speed", Shares::speed}, {"equal", Shares::equal}};
  if (options.shares == Shares::links) {
    choices["links"] = Shares::links;
    add_choice<Shares>(command, "--shares", options.shares, choices,
                       "Share per rank: such that links and memory take the least time (default), in proportion to "
                       "measured speed, or equal")
        ->type_name("links|speed|equal")
        ->group(how_it_runs);
  } else {
    add_choice<Shares>(command, "--shares", options.shares, choices,
                       "Rows per rank: in proportion to measured speed (default), or equal")
        ->type_name("speed|equal")
        ->group(how_it_runs);
  }
  add_choice<Session::Kind>(command, "--collectives", options.collectives,
                            {{"tombolo", Session::Kind::tombolo}, {"native", Session::Kind::native}},
                            "Planned collectives (default), or the MPI library's own")
      ->type_name("tombolo|native")
      ->group(how_it_runs);
}

void add_report_and_phantom(CLI::App& command, RunOptions& options) {
  command
      .add_option("--platform", options.platform,
                  "Plan for the platform in this file (tombolo discover); default: what an earlier discovery kept for "
                  "these hosts, else about a second of measuring")
      ->transform(file_name())
      ->type_name("FILE.json")
      ->group(how_it_runs);
  add_tuning(command, options.tuning)->group(how_it_runs);
  command.add_option("--report", options.report, "Write everything that is shown, and more, as JSON")
      ->transform(file_name())
      ->type_name("FILE.json")
      ->group(how_it_runs);
  command
      .add_flag("--phantom", options.phantom,
                "In a simulation: hold no matrices and compute nothing, in the same simulated time; default: where "
                "they would not fit in memory")
      ->group(how_it_runs);
}

void use_platform_and_tuning(Session& session, const RunOptions& options) {
  if (!options.platform.empty()) session.use_platform(options.platform);
  if (!options.tuning.empty()) session.use_tuning(options.tuning);
}

std::vector<std::int64_t> shares_of_rows(Shares shares, std::int64_t rows, std::span<const std::int64_t> speeds) {
  return shares == Shares::equal ? equal_shares(rows, static_cast<int>(speeds.size()))
                                 : proportional_shares(rows, speeds);
}

}  // namespace tombolo
