#include <tombolo/models/sampled_pairs.hpp>
#include <tombolo/models/saturation.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo {

SampledPairs::SampledPairs(const PairClasses& classes, int most_inside, int most_between) : classes_(classes.size()) {
  for (int index = 0; index < classes_; ++index) {
    for (const std::pair<Rank, Rank>& pair :
         classes.sample(index, classes.between(index) ? most_between : most_inside)) {
      pairs_.push_back(pair);
      class_of_.push_back(index);
    }
  }
}

std::vector<Picoseconds> SampledPairs::medians(const std::vector<Picoseconds>& by_pair) const {
  std::vector<std::vector<std::int64_t>> figures(static_cast<std::size_t>(classes_));
  for (std::size_t i = 0; i < by_pair.size(); ++i)
    figures[static_cast<std::size_t>(class_of_[i])].push_back(by_pair[i]);
  std::vector<Picoseconds> found;
  found.reserve(figures.size());
  for (const std::vector<std::int64_t>& of_class : figures) found.push_back(median_of(of_class).value);
  return found;
}

std::vector<Picoseconds> SampledPairs::measure(Laboratory& laboratory, Experiment experiment,
                                               const Repeat& repeat) const {
  std::vector<Experiment> experiments;
  experiments.reserve(pairs_.size());
  for (const auto& [a, b] : pairs_) {
    experiment.a = a;
    experiment.b = b;
    experiments.push_back(experiment);
  }
  if (experiments.empty()) return {};
  std::vector<Picoseconds> times;
  times.reserve(experiments.size());
  for (const Measured& time : laboratory.run(experiments, repeat)) times.push_back(time.value);
  return medians(times);
}

std::vector<Picoseconds> SampledPairs::gaps(Laboratory& laboratory, Bytes bytes) const {
  std::vector<Saturation> saturations;
  saturations.reserve(pairs_.size());
  for (const auto& [a, b] : pairs_) saturations.push_back({.from = a, .to = b, .bytes = bytes});
  return medians(measure_gaps(laboratory, saturations));
}

}  // namespace tombolo
