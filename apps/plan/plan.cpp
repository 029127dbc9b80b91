#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include <tombolo/collectives/trusted_models.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/models/platform_hockney.hpp>

#include "command.hpp"
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
    std::optional<Hockney> links;
    Platform platform;
    std::optional<TrustedModels> trusted;
    std::optional<Landscape> landscape;
    ModelFor model_for;
    if (options.platform.empty()) {
      links = links_of(options);
      model_for = [&](const Request&, const Algorithm&) -> const Model& { return *links; };
    } else {
      platform = load_platform(options.platform, options.hosts);
      known.ranks = platform.ranks();
      links = hockney_of(platform);
      if (options.model.empty()) {
        trusted.emplace(platform);
      } else {
        trusted.emplace(platform, options.model);
      }
      model_for = trusted->chooser();
      landscape.emplace(platform);
    }
    const Request request = request_for(known);
    const std::vector<Thresholds> thresholds = stored_thresholds(platform);
    const std::vector<Candidate> all =
        plans(known, request, model_for,
              {.thresholds = thresholds_of_all(thresholds, platform), .landscape = landscape ? &*landscape : nullptr});
    const Model& believed = model_for(request, all.front().plan.algorithm());
    text = known.json ? to_json(all, believed, *links) : to_text(known, all, believed, *links);
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
  command->callback(
      [&run, options] { run = [options](Session& session) { return planning::run(session, *options); }; });
}

}  // namespace tombolo
