#include <algorithm>

#include <tombolo/collectives/choose/decide.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/request/regular.hpp>

namespace tombolo {

namespace {

// Times that differ by less than one part in these count as equal.
constexpr Picoseconds alike_predicted = 100;
constexpr Picoseconds alike_measured = 50;

bool within(Picoseconds time, Picoseconds best, Picoseconds alike) {
  return time - best <= best / alike;
}

bool faster(const Candidate& a, const Candidate& b) {
  return a.predicted < b.predicted;
}

// Index in algorithms.def.
std::size_t number(const Candidate& candidate) {
  const auto all = all_algorithms();
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), &candidate.plan.algorithm()) - all.begin());
}

// Returns the first setting within the tolerance of the best: the one with the longest segments.
const Candidate& best_setting(const std::vector<Candidate>& settings) {
  const Picoseconds best = std::min_element(settings.begin(), settings.end(), faster)->predicted;
  return *std::find_if(settings.begin(), settings.end(),
                       [best](const Candidate& c) { return within(c.predicted, best, alike_predicted); });
}

std::size_t best_by_prediction(const std::vector<Candidate>& contenders) {
  const Picoseconds best = std::min_element(contenders.begin(), contenders.end(), faster)->predicted;
  std::size_t chosen = contenders.size();
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (!within(contenders[i].predicted, best, alike_predicted)) continue;
    if (chosen == contenders.size() || number(contenders[i]) < number(contenders[chosen])) chosen = i;
  }
  return chosen;
}

// Returns the best predicted plan among those within the tolerance of the best time; nothing if no plan is.
std::optional<std::size_t> best_by_measurement(const std::vector<Candidate>& contenders,
                                               const std::vector<Picoseconds>& measured, Picoseconds best) {
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (!within(measured[i], best, alike_measured)) continue;
    if (!chosen || faster(contenders[i], contenders[*chosen])) chosen = i;
  }
  return chosen;
}

Decision about(const Candidate& candidate) {
  const Plan& plan = candidate.plan;
  return {.operation = plan.request().operation,
          .root = plan.request().root,
          .bytes = regular_bytes(plan.request()),
          .algorithm = std::string(plan.algorithm().name),
          .parameters = plan.parameters(),
          .predicted = candidate.predicted};
}

}  // namespace

std::vector<Candidate> contenders(const Request& request, const Planner& planner, int most) {
  std::vector<const Algorithm*> algorithms;
  const auto add = [&algorithms](const Algorithm& algorithm) {
    if (std::find(algorithms.begin(), algorithms.end(), &algorithm) == algorithms.end())
      algorithms.push_back(&algorithm);
  };
  const std::vector<Candidate> promising = planner.candidates(request);
  for (const Candidate& candidate : promising) {
    if (static_cast<int>(algorithms.size()) < most) add(candidate.plan.algorithm());
  }
  add(*algorithms_for(request).front());
  std::vector<Candidate> all;
  for (const Algorithm* algorithm : algorithms) {
    std::vector<Candidate> settings = planner.candidates_of(*algorithm, request);
    for (const Candidate& candidate : promising) {
      if (&candidate.plan.algorithm() == algorithm) settings.push_back(candidate);
    }
    if (!settings.empty()) all.push_back(best_setting(settings));
  }
  std::stable_sort(all.begin(), all.end(), faster);
  return all;
}

Decision decide(const std::vector<Candidate>& contenders, const std::vector<Picoseconds>& measured,
                std::optional<Picoseconds> native) {
  if (measured.empty()) return about(contenders[best_by_prediction(contenders)]);
  const Picoseconds fastest = *std::min_element(measured.begin(), measured.end());
  auto best = best_by_measurement(contenders, measured, std::min(fastest, native.value_or(fastest)));
  const Backend backend = best ? Backend::plan : Backend::native;
  if (!best) best = best_by_measurement(contenders, measured, fastest);
  Decision decision = about(contenders[*best]);
  decision.backend = backend;
  decision.measured = measured[*best];
  decision.native = native;
  return decision;
}

}  // namespace tombolo
