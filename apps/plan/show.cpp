#include "plan/show.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/predict/longest_chain.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/predict/show.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo::planning {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_rivals = 5;

std::string rivals(const std::vector<Candidate>& all) {
  std::string text = all.size() > 1 ? "\nrivals\n" : "";
  const Picoseconds best = all.front().predicted;
  for (std::size_t i = 1; i < std::min(all.size(), most_rivals + 1); ++i) {
    const Picoseconds time = all[i].predicted;
    const double factor = time == best ? 1 : static_cast<double>(time) / static_cast<double>(best);
    text += fmt::format("  {:>10}  {:.2f} x  {}\n", readable(time), factor, all[i].plan.how());
  }
  return text;
}

Json summary(const Candidate& candidate) {
  Json json = {{"algorithm", candidate.plan.algorithm().name}};
  for (const ParameterRow& row : parameter_rows()) {
    if (row.option != nullptr) json[row.name] = row.get(candidate.plan.parameters());
  }
  json["predicted_s"] = seconds(candidate.predicted);
  return json;
}

// What was decided, and what difference that makes.
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

}  // namespace

std::string to_text(const Options& o, const Answer& answer, const Planner& planner) {
  const std::vector<Candidate>& all = answer.plans;
  const Plan& plan = all.front().plan;
  const Model& model = planner.model_for(plan.request(), plan.algorithm());
  const Proof proof = prove(plan);
  std::string text = plan.describe() + "\n" + carried(answer) + model.describe() + "\n";
  text += fmt::format("predicted {}, bound {}; {} message{}, {} bytes over links, {}\n\n",
                      readable(all.front().predicted), readable(planner.bound(plan.request())), proof.messages,
                      proof.messages == 1 ? "" : "s", proof.elements_moved * plan.request().element_bytes,
                      proof.holds() ? "proved" : "NOT PROVED: " + *proof.fault);
  if (o.rank >= 0) return text + show_table(plan, o.rank);
  return text + show_tree(plan) + "\n" + show_timeline(plan, predict(plan, model)) +
         "       s sends, r receives, b both, l works locally\n" + rivals(all);
}

std::string to_json(const Answer& answer, const Planner& planner) {
  const std::vector<Candidate>& all = answer.plans;
  const Request& request = all.front().plan.request();
  const Proof proof = prove(all.front().plan);
  Json json = summary(all.front());
  json["operation"] = name(request.operation);
  json["ranks"] = request.ranks;
  json["root"] = request.root;
  json["model"] = planner.model_for(request, all.front().plan.algorithm()).name();
  json["bound_s"] = seconds(planner.bound(request));
  json["steps"] = longest_chain(all.front().plan);
  json["messages"] = proof.messages;
  json["link_bytes"] = proof.elements_moved * request.element_bytes;
  json["proved"] = proof.holds();
  json["carrier"] = name(answer.backend);
  if (answer.decision != nullptr) json["tuned"] = tuned_json(answer);
  json["rivals"] = Json::array();
  for (std::size_t i = 1; i < all.size(); ++i) json["rivals"].push_back(summary(all[i]));
  return json.dump(2) + "\n";
}

}  // namespace tombolo::planning
