// The command: predictions on a platform that need not be here.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "command.hpp"
#include "load_platform.hpp"
#include "output.hpp"
#include "predict/growth.hpp"
#include "predict/prediction.hpp"
#include "predict/report.hpp"
#include "run/options.hpp"

namespace tombolo {
namespace predicting {
namespace {

/// The options, beside those of the work that is predicted.
struct Options {
  std::string platform;
  std::string hosts;
  std::string tuning;
  std::string sizes;  ///< as dimensions_in() reads them; empty: the dimensions are stated
  std::string report;
  std::string plot;
  Format format = Format::text;
  bool explain = false;
};

std::vector<std::int64_t> dimensions_in(const std::string& words) {
  std::vector<std::int64_t> sizes = sizes_in(words);
  if (sizes.front() < 1) throw Error(fmt::format("'{}' holds size 0", words), "give sizes of 1 or more");
  return sizes;
}

void add_sizes(OptionGroup& group, Options& options, const std::string& what) {
  group
      .value("--size", options.sizes,
             what + " of this size, or of these: 1000,2000,4000, or 1000:16000, doubling, or 1000:27000:x3",
             "N,...|LOW:HIGH:xF")
      ->check(taken_by(dimensions_in));
}

void add_options(CLI::App& command, Options& options) {
  OptionGroup group(command, "Platform and output");
  auto* platform =
      group.input("--platform", options.platform,
                  "The ranks and links to predict for: a file of tombolo discover or a SimGrid description");
  platform->required();
  group.input("--hosts", options.hosts, "With a description: the host file, rank k on line k");
  group.tuning(options.tuning);
  group.flag("--explain", options.explain, "Also tell all ways that were compared, and what each rank does");
  group.output("--report", options.report, "Write everything that is shown, and more, as JSON", "FILE.json");
  group.output("--plot", options.plot, "Draw the predicted times over the size, as SVG (takes gnuplot)", "FILE.svg");
  group.format(options.format, "For people (text, the default), a row for each size (csv), or everything (json)");
}

constexpr double longest_s = 100.0 * 24 * 3600;  // times are counted in ps, in 64 bits

Forecasts forecasts(const Options& options, const Predictor& predictor, ProgressPrinter& progress) {
  const std::string name = printable(options.platform);
  Session imagined(load_platform(options.platform, options.hosts), name);
  if (!options.tuning.empty()) imagined.use_tuning(options.tuning);
  const Platform& platform = imagined.discover_or_load();
  const auto predict = [&](std::int64_t size) {
    progress.begin(fmt::format("predicting size {}", size));
    Prediction prediction = predictor.predict(imagined, size, predictor.root.value_or(0));
    if (std::max({prediction.predicted_s(), prediction.working_s(), prediction.full_speed_s}) > longest_s) {
      throw Error(fmt::format("{} takes more than 100 days on these ranks, too long for predictions", prediction.what),
                  "give smaller sizes, or more or faster processors");
    }
    std::vector<ClusterUse> uses = cluster_uses(platform, prediction);
    return Sized{size, std::move(prediction), std::move(uses)};
  };
  Forecasts all{.command = predictor.name,
                .source = name,
                .model = imagined.planner()->describe(),
                .processors = platform.processors,
                .chooses = predictor.chooses,
                .explain = options.explain};
  const std::vector<std::int64_t> sizes =
      options.sizes.empty() ? std::vector<std::int64_t>{0} : dimensions_in(options.sizes);
  for (const std::int64_t size : sizes) all.sizes.push_back(predict(size));
  all.steps = find_steps(all.sizes, predict);
  if (!options.plot.empty()) {
    progress.begin("predicting on fewer clusters");
    all.on_fewer = on_fewer_clusters(imagined, predictor, sizes);
  }
  progress.begin("");
  return all;
}

int run(Session& session, const Options& options, const Predictor& predictor) {
  std::string text;
  ProgressPrinter progress(session.rank() == 0, ProgressPrinter::Style::one_line);
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;  // it needs no ranks
    for (const std::string& file : {options.report, options.plot}) {
      if (!file.empty()) check_writable(file);
    }
    if (!options.plot.empty() && dimensions_in(options.sizes.empty() ? "1" : options.sizes).size() < 2) {
      throw Error("--plot with one size, of which there is no curve", "give several, as --size 1000:16000");
    }
    const Forecasts all = forecasts(options, predictor, progress);
    if (!options.report.empty()) write_text(options.report, to_json(all));
    if (!options.plot.empty()) write_text(options.plot, to_picture(all));
    text = shown(options.format, all);
  });
  print(session, text);
  return 0;
}

template <class Work>
void add_work(CLI::App& predict, Run& run_it, const char* name, const char* help, const char* footer,
              const char* matrices, void (*add_work_options)(CLI::App&, OptionGroup&, Work&)) {
  auto* command = predict.add_subcommand(name, help);
  command->footer(footer);
  auto options = std::make_shared<std::pair<Options, Work>>();
  OptionGroup input(*command, "Matrices");
  add_sizes(input, options->first, matrices);
  add_work_options(*command, input, options->second);
  add_options(*command, options->first);
  when_chosen(*command, run_it,
              [options](Session& session) { return run(session, options->first, predictor(options->second)); });
}

}  // namespace
}  // namespace predicting

void add_predict(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("predict", "Predict matmul or transpose on a platform, before any run");
  command->footer(
      "Tells how long a product or a transpose would take on a platform, phase by phase, which ranks and clusters\n"
      "would take part, and from which size on a further cluster pays. Needs no ranks: the platform is a file that\n"
      "tombolo discover has written there, that was written by hand, or of SimGrid (docs/predict.md).\n\n"
      "  tombolo predict matmul --platform grid.json --size 4000\n"
      "  tombolo predict transpose --platform grid.json --size 1000:16000\n"
      "  tombolo predict matmul --help");
  predicting::add_work<matmul::Options>(
      *command, run, "matmul", "Predict a product of two matrices: C = A x B",
      "The prediction is the one that tombolo matmul makes on these ranks, where --platform names the same file. The\n"
      "speeds are those in the file, of kernel dgemm or sgemm if they were measured.\n\n"
      "  tombolo predict matmul --platform grid.json --size 4000\n"
      "  tombolo predict matmul --platform grid.json --size 1000:16000 --held distributed --plot times.svg\n"
      "  tombolo predict matmul --platform grid.json --m 20000 --n 500 --k 500 --algorithm auto --explain\n"
      "  tombolo predict matmul --platform lab/platforms/mpichg2.xml --size 1000,4000,16000 --format csv",
      "Square matrices", [](CLI::App& to, OptionGroup& input, matmul::Options& options) {
        matmul::add_shape(input, options);
        matmul::add_method(to, options);
      });
  predicting::add_work<transposition::Options>(
      *command, run, "transpose", "Predict a transpose: B = A^T",
      "The prediction is the one that tombolo transpose makes on these ranks with all of A in memory, where "
      "--platform\n"
      "names the same file and the speed of transposing is the one in the file.\n\n"
      "  tombolo predict transpose --platform grid.json --size 4000\n"
      "  tombolo predict transpose --platform grid.json --size 1000:16000 --layout blocks --plot times.svg",
      "A square matrix", [](CLI::App& to, OptionGroup& input, transposition::Options& options) {
        transposition::add_shape(input, options);
        OptionGroup how(to, how_it_runs);
        transposition::add_layouts(how, options);
        add_shares_and_collectives(to, options.run);
      });
  command->allow_extras();  // what_is_missing() has a better word for them; what is predicted does not inherit this
  command->callback([command, &run] {
    if (!command->get_subcommands().empty() && command->remaining_size() == 0) return;
    run = [command](Session&) -> int { throw AgreedError(what_is_missing(*command, "application")); };
  });
}

}  // namespace tombolo
