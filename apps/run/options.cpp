#include "run/options.hpp"

#include <array>
#include <map>

#include <fmt/format.h>

#include "files.hpp"
#include "tuning_option.hpp"
#include "validators.hpp"

namespace tombolo {

std::string_view name(Shares shares) {
  constexpr std::array<std::string_view, 4> names{"best", "speed", "equal", "links"};
  return names.at(static_cast<std::size_t>(shares));
}

void add_shares_and_collectives(CLI::App& command, RunOptions& options) {
  const bool links = options.shares == Shares::links;
  const std::map<std::string, Shares> choices{
      {std::string(name(options.shares)), options.shares}, {"speed", Shares::speed}, {"equal", Shares::equal}};
  add_choice<Shares>(
      command, "--shares", options.shares, choices,
      links ? "Share per rank: such that links and memory take the least time (default), in proportion to measured "
              "speed, or equal"
            : "Rows per rank: in proportion to measured speed, on those ranks with which it is predicted to be the "
              "fastest (best, the default) or on all (speed), or equal")
      ->type_name(fmt::format("{}|speed|equal", name(options.shares)))
      ->group(how_it_runs);
  add_choice<Session::Kind>(command, "--collectives", options.collectives,
                            {{"tombolo", Session::Kind::tombolo}, {"native", Session::Kind::native}},
                            "Planned collectives (default), or the MPI library's own")
      ->type_name("tombolo|native")
      ->group(how_it_runs);
}

void add_trace(CLI::App& command, std::string& trace, const std::string& of_what) {
  command
      .add_option("--trace", trace,
                  "Write what every rank did when" + of_what +
                      ": Chrome trace events, which ui.perfetto.dev opens, or a picture where the name ends in .svg")
      ->transform(output_file())
      ->type_name("FILE")
      ->group(how_it_runs);
}

void add_report_and_phantom(CLI::App& command, RunOptions& options) {
  command
      .add_option("--platform", options.platform,
                  "Plan for the platform in this file (tombolo discover); default: what an earlier discovery kept for "
                  "these hosts, else about a second of measuring")
      ->transform(input_file())
      ->type_name("FILE.json")
      ->group(how_it_runs);
  add_tuning(command, options.tuning)->group(how_it_runs);
  command.add_option("--report", options.report, "Write everything that is shown, and more, as JSON")
      ->transform(output_file())
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

}  // namespace tombolo
