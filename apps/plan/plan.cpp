#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/system/posix_file.hpp>

#include "command.hpp"
#include "files.hpp"
#include "load_platform.hpp"
#include "output.hpp"
#include "plan/show.hpp"

namespace tombolo {
namespace planning {
namespace {

int run(Session& session, const Options& options) {
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;  // it needs no ranks
    Options known = options;
    std::optional<Planner> planner;
    if (options.platform.empty()) {
      planner.emplace(links_of(options));
    } else {
      Platform platform = load_platform(options.platform, options.hosts);
      known.ranks = platform.ranks();
      std::optional<Tuning> tuning;
      if (!options.tuning.empty()) {
        tuning = read_tuning(options.tuning);
        tuning->check_fits(hosts_by_rank(platform), printable(options.tuning));
      }
      planner.emplace(std::move(platform), options.model);
      if (tuning) planner->use(std::move(*tuning));
    }
    const Answer found = answer(known, request_for(known), *planner);
    text = known.json ? to_json(found, *planner) : to_text(known, found, *planner);
  });
  print(session, text);
  return 0;
}

}  // namespace
}  // namespace planning

void add_plan(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("plan", "Show how a collective would be carried out, and how long it would take");
  command->footer(
      "Without a platform all links are equal, of the stated latency and rate. With one, predictions are those of the\n"
      "models that tombolo models has estimated, as far as there are any. Needs no ranks.\n"
      "Every plan that is shown has been proved.\n\n"
      "  tombolo plan bcast --bytes 1M --ranks 16\n"
      "  tombolo plan gatherv --bytes 64K --platform grid.json\n"
      "  tombolo plan scatterv --bytes 64K --ranks 8 --root 3 --algorithm binomial --rank 5");
  auto options = std::make_shared<planning::Options>();
  planning::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return planning::run(session, *options); });
}

}  // namespace tombolo
