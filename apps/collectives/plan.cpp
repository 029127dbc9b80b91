#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/guesses.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/predict/show.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>

#include "collectives/candidates.hpp"
#include "command.hpp"
#include "load_platform.hpp"
#include "output.hpp"

namespace tombolo {
namespace planning {
namespace {

constexpr std::size_t most_rivals = 5;
constexpr const char* simplest_is_taken =
    "  plans predicted within {} % of each other are alike: of these the one that sends the least is taken\n";

Json seconds_if_known(Picoseconds time) {
  return time == never ? Json(nullptr) : Json(seconds(time));
}

std::string rivals(const std::vector<Candidate>& all) {
  std::string text = all.size() > 1 ? "\nrivals\n" : "";
  const Picoseconds best = all.front().predicted;
  bool is_faster = false;
  for (std::size_t i = 1; i < std::min(all.size(), most_rivals + 1); ++i) {
    const Picoseconds time = all[i].predicted;
    if (time == never) {
      text += fmt::format("  {:>10}          {}\n", "not predicted", all[i].plan.how());
      continue;
    }
    const double factor = time == best ? 1 : static_cast<double>(time) / static_cast<double>(best);
    text += fmt::format("  {:>10}  {:.2f} x  {}\n", readable(time), factor, all[i].plan.how());
    is_faster = is_faster || time < best;
  }
  return text + (is_faster ? fmt::format(simplest_is_taken, alike_percent) : "");
}

Json summary(const Candidate& candidate) {
  Json json = {{"algorithm", candidate.plan.algorithm().name}};
  for (const ParameterRow& row : parameter_rows()) {
    if (row.option != nullptr) json[row.name] = row.get(candidate.plan.parameters());
  }
  json["predicted_s"] = seconds_if_known(candidate.predicted);
  return json;
}

// Says how a blocking call is carried out, and what a tuned decision changes.
std::string carried(const Answer& answer) {
  if (answer.decision == nullptr) {
    return answer.backend == Backend::plan ? "" : "blocking calls are left to MPI's own collective, as on one host\n";
  }
  const Decision& d = *answer.decision;
  std::string text = fmt::format("kept as decided for {} B", d.bytes);
  if (d.measured) text += fmt::format(", where it took {}", readable(*d.measured));
  if (d.native) text += fmt::format(" and MPI's own collective {}", readable(*d.native));
  if (d.backend == Backend::native) text += "; blocking calls are left to MPI's own";
  const Candidate& other = *answer.otherwise;
  const bool same = other.plan == answer.plans.front().plan;
  return text +
         (same ? "; it would be chosen anyway"
               : fmt::format("; without that: {}, predicted {}", other.plan.how(), readable(other.predicted))) +
         "\n";
}

Json tuned_json(const Answer& answer) {
  const Decision& d = *answer.decision;
  Json json = {{"bytes", d.bytes}};
  if (d.measured) json["measured_s"] = seconds(*d.measured);
  if (d.native) json["native_s"] = seconds(*d.native);
  json["otherwise"] = summary(*answer.otherwise);
  return json;
}

constexpr const char* too_many_steps = "not proved here, as all ranks together have too many steps";

std::string proved(const Plan& plan, const Proof& proof) {
  return fmt::format("{}, {} bytes over links, {}", counted(proof.messages, "message"),
                     proof.elements_moved * plan.request().element_bytes,
                     proof.holds() ? "proved" : "NOT PROVED: " + *proof.fault);
}

// Messages of a plan whose timeline takes seconds.
constexpr std::int64_t most_in_timeline = std::int64_t{1} << 17;

std::string timeline(const Plan& plan, const Proof& proof, const Model& model) {
  if (proof.messages > most_in_timeline) {
    return fmt::format("no timeline, as {} messages take long to simulate; --rank shows the steps of a rank\n",
                       proof.messages);
  }
  return show_timeline(plan, predict(plan, model)) + "       s sends, r receives, b both, l works locally\n";
}

// The first of the plans with its proof and bound, why it is taken where that was tuned, and the others by name.
std::string to_text(const Options& o, const Answer& answer, const Planner& planner) {
  const std::vector<Candidate>& all = answer.plans;
  const Plan& plan = all.front().plan;
  const Model& model = planner.model_for(plan.request(), plan.algorithm());
  const bool few = has_few_steps(plan);
  const Proof proof = few ? prove(plan) : Proof{};
  std::string text = plan.describe() + "\n" + carried(answer) + model.describe() + "\n";
  text += fmt::format("predicted {}, bound {}; {}\n\n", readable(all.front().predicted),
                      readable(planner.bound(plan.request())), few ? proved(plan, proof) : too_many_steps);
  if (!answer.guesses.empty()) {
    text.pop_back();
    text += fmt::format("guessed, as it was not measured: {}\n\n", fmt::join(answer.guesses, "; "));
  }
  if (o.rank >= 0) return text + show_table(plan, o.rank);
  if (!few) return text + rivals(all);
  return text + show_tree(plan) + "\n" + timeline(plan, proof, model) + rivals(all);
}

std::string to_json(const Answer& answer, const Planner& planner) {
  const std::vector<Candidate>& all = answer.plans;
  const Request& request = all.front().plan.request();
  const bool few = has_few_steps(all.front().plan);
  const Proof proof = few ? prove(all.front().plan) : Proof{};
  Json json = summary(all.front());
  json["operation"] = name(request.operation);
  json["ranks"] = request.ranks;
  json["root"] = request.root;
  json["model"] = planner.model_for(request, all.front().plan.algorithm()).name();
  json["bound_s"] = seconds(planner.bound(request));
  json["guesses"] = answer.guesses;
  const auto if_few = [few](auto number) { return few ? Json(number) : Json(nullptr); };
  json["steps"] = if_few(few ? longest_chain(all.front().plan) : 0);
  json["messages"] = if_few(proof.messages);
  json["link_bytes"] = if_few(proof.elements_moved * request.element_bytes);
  json["proved"] = few && proof.holds();
  json["carrier"] = name(answer.backend);
  if (answer.decision != nullptr) json["tuned"] = tuned_json(answer);
  json["rivals"] = Json::array();
  for (std::size_t i = 1; i < all.size(); ++i) json["rivals"].push_back(summary(all[i]));
  return json.dump(2) + "\n";
}

void add_options(CLI::App& command, Options& options) {
  constexpr int most = std::numeric_limits<int>::max();
  command.add_option("operation", options.operation, "One of " + listed(operation_names()))->required()->type_name("");
  OptionGroup group(command);
  group
      .value("--bytes", options.bytes,
             "The vector that is broadcast, combined or scanned, one rank's block of scatterv, gatherv and allgatherv, "
             "one pair's of alltoallv",
             "SIZE")
      ->capture_default_str()
      ->transform(size_in_bytes());
  auto* platform =
      group.input("--platform", options.platform,
                  "Plan for the ranks and links of this platform: a file of tombolo discover or a SimGrid description");
  group.input("--hosts", options.hosts, "With a description: the host file, rank k on line k")->needs(platform);
  group.model(options.model, "for each algorithm the one that is believed, else what the platform knows of links")
      ->needs(platform);
  group.tuning(options.tuning)
      ->description("Say what tombolo tune decided in this file, and what would be chosen without it")
      ->needs(platform);
  group.integer("--ranks", options.ranks, "Number of ranks", 1, 1 << 16)->excludes(platform)->capture_default_str();
  group.integer("--root", options.root, "The root", 0, most, "RANK")->capture_default_str();
  auto* algorithm =
      group.value("--algorithm", options.algorithm, "Use this one; default: the one predicted to be fastest", "NAME");
  algorithm->excludes("--tuning");
  options.stated.add_plan_options(group, algorithm);
  add_mapping_options(group, options.mapping);
  add_no_detours(group, options.no_detours)->needs(platform);
  for (const char* option : {"--mapping", "--schedule"}) command.get_option(option)->needs(algorithm);
  group.value("--latency", options.latency_us, "Latency of a message, in microseconds", "US")
      ->excludes(platform)
      ->capture_default_str();
  group.value("--rate", options.rate_mb, "Rate of a link, in MB/s (10^6 bytes)", "MB/S")
      ->excludes(platform)
      ->capture_default_str();
  group.integer("--rank", options.rank, "Show every step of this rank instead of tree and timeline", 0, most, "RANK");
  group.choice<bool>("--format", options.json, {{"text", false}, {"json", true}},
                     "For people (text, the default) or for programs", "text|json");
}

int run(Session& session, const Options& options) {
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;  // it needs no ranks
    Options known = options;
    std::optional<Planner> planner;
    std::vector<std::string> guessed;
    if (options.platform.empty()) {
      planner.emplace(links_of(options));
    } else {
      Platform platform = load_platform(options.platform, options.hosts);
      known.ranks = platform.ranks();
      guessed = guesses(platform);
      std::optional<Tuning> tuning;
      if (!options.tuning.empty()) {
        tuning = read_tuning(options.tuning);
        tuning->check_fits(hosts_by_rank(platform), printable(options.tuning));
      }
      planner.emplace(std::move(platform), options.model);
      if (tuning) planner->use(std::move(*tuning));
      if (known.no_detours) planner->avoid_detours();
    }
    Answer found = answer(known, request_for(known), *planner);
    found.guesses = std::move(guessed);
    text = known.json ? to_json(found, *planner) : to_text(known, found, *planner);
  });
  print(session, text);
  return 0;
}

}  // namespace
}  // namespace planning

void add_plan(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("plan", "Show the plan of a collective, and its predicted time");
  command->footer(
      "Without a platform all links are equal, of the stated latency and rate. With one, predictions are those of the\n"
      "models that tombolo models has estimated, as far as there are any. Needs no ranks.\n"
      "A plan that is shown has been proved, but for those of more than 4 million steps, which say so.\n\n"
      "  tombolo plan bcast --bytes 1M --ranks 16\n"
      "  tombolo plan gatherv --bytes 64K --platform grid.json\n"
      "  tombolo plan scatterv --bytes 64K --ranks 8 --root 3 --algorithm binomial --rank 5");
  auto options = std::make_shared<planning::Options>();
  planning::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return planning::run(session, *options); });
}

}  // namespace tombolo
