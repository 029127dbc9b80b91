#include <memory>

#include <tombolo/framework/mpi/agree.hpp>

#include "command.hpp"
#include "output.hpp"
#include "plan/show.hpp"

namespace tombolo {
namespace planning {
namespace {

int run(Session& session, const Options& options) {
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;  // it needs no ranks
    const Request request = request_for(options);
    const Hockney model = model_for(options);
    const std::vector<Candidate> all = plans(options, request, model);
    text = options.json ? to_json(all, model) : to_text(options, all, model);
  });
  print(session, text);
  return 0;
}

}  // namespace
}  // namespace planning

void add_plan(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("plan", "Show how a collective would be carried out, and how long it would take");
  command->footer(
      "The links are all equal, of the stated latency and rate. Needs no ranks. Every plan that is shown has been "
      "proved.\n\n"
      "  tombolo plan bcast --bytes 1M --ranks 16\n"
      "  tombolo plan scatterv --bytes 64K --ranks 8 --root 3 --algorithm binomial --rank 5");
  auto options = std::make_shared<planning::Options>();
  planning::add_options(*command, *options);
  command->callback(
      [&run, options] { run = [options](Session& session) { return planning::run(session, *options); }; });
}

}  // namespace tombolo
