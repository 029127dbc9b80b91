#include "run/options.hpp"

#include <tombolo/framework/shares.hpp>

#include "tuning_option.hpp"
#include "validators.hpp"

namespace tombolo {

void add_shares_and_collectives(CLI::App& command, RunOptions& options) {
  add_choice<Shares>(command, "--shares", options.shares, {{"speed", Shares::speed}, {"equal", Shares::equal}},
                     "Rows per rank: in proportion to measured speed (default), or equal")
      ->type_name("speed|equal")
      ->group(how_it_runs);
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
  return shares == Shares::speed ? proportional_shares(rows, speeds)
                                 : equal_shares(rows, static_cast<int>(speeds.size()));
}

}  // namespace tombolo
