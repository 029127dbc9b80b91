#include <algorithm>
#include <cmath>
#include <tuple>

#include <tombolo/collectives/calibrate/sample.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

double ratio(Picoseconds a, Picoseconds b) {
  return static_cast<double>(a) / static_cast<double>(std::max<Picoseconds>(b, 1));
}

using Contest = std::vector<const Sample*>;

bool is_of_baseline(const Sample& sample) {
  const auto all = all_algorithms();
  return std::ranges::any_of(all, [&](const Algorithm* algorithm) {
    return algorithm->baseline && algorithm->operation == sample.operation && algorithm->name == sample.algorithm;
  });
}

std::vector<Contest> contests(std::span<const Sample> samples) {
  std::map<std::tuple<std::string, Operation, int, Rank, Bytes>, Contest> found;
  for (const Sample& s : samples) {
    if (!is_of_baseline(s)) found[{s.scope, s.operation, s.ranks, s.root, s.bytes}].push_back(&s);
  }
  std::vector<Contest> several;
  for (auto& [what, contest] : found) {
    if (contest.size() > 1) several.push_back(std::move(contest));
  }
  return several;
}

void judge(ModelRanking& ranking, const Contest& contest) {
  const auto predicted = [&](const Sample* sample) { return sample->predicted.at(ranking.model); };
  const Sample& taken = **std::ranges::min_element(contest, {}, predicted);
  const Sample& fastest = **std::ranges::min_element(contest, {}, &Sample::measured);
  ++ranking.contests;
  if (taken.measured == fastest.measured) {
    ++ranking.right;
    return;
  }
  const double loss = ratio(taken.measured, fastest.measured) - 1;
  ranking.mean_loss += loss;  // the sum until the end
  ranking.worst_loss = std::max(ranking.worst_loss, loss);
}

}  // namespace

std::vector<ModelErrors> errors_of_models(std::span<const Sample> samples) {
  std::map<std::string, std::vector<double>> errors;
  for (const Sample& sample : samples) {
    for (const auto& [model, predicted] : sample.predicted) {
      errors[model].push_back(std::abs(ratio(predicted, sample.measured) - 1));
    }
  }
  std::vector<ModelErrors> found;
  for (auto& [model, all] : errors) {
    std::ranges::sort(all);
    const std::size_t n = all.size();
    found.push_back(
        {model, static_cast<int>(n), (all[(n - 1) / 2] + all[n / 2]) / 2, all[(9 * n + 9) / 10 - 1], all.back()});
  }
  return found;
}

std::vector<ModelRanking> rankings_of_models(std::span<const Sample> samples) {
  std::map<std::string, ModelRanking> rankings;
  for (const Contest& contest : contests(samples)) {
    for (const auto& [model, predicted] : contest.front()->predicted) {
      const bool all = std::ranges::all_of(
          contest, [&, &name = model](const Sample* sample) { return sample->predicted.contains(name); });
      if (!all) continue;
      ModelRanking& ranking = rankings[model];
      ranking.model = model;
      judge(ranking, contest);
    }
  }
  std::vector<ModelRanking> found;
  for (auto& [model, ranking] : rankings) {
    if (ranking.right < ranking.contests) ranking.mean_loss /= ranking.contests - ranking.right;
    found.push_back(std::move(ranking));
  }
  return found;
}

}  // namespace tombolo
