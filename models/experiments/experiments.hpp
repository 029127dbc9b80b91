#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <tombolo/models/experiments/laboratory.hpp>

namespace tombolo {

/// The participants of an experiment: a, b and, in experiments of three ranks, c.
class Participants {
 public:
  explicit Participants(const Experiment& experiment)
      : ranks_{experiment.a, experiment.b, experiment.c},
        size_(experiment.kind == Experiment::Kind::one_to_two ? 3U : 2U) {}
  const Rank* begin() const { return ranks_.data(); }
  const Rank* end() const { return ranks_.data() + size_; }
  std::size_t size() const { return size_; }
  bool contains(Rank rank) const;

 private:
  std::array<Rank, 3> ranks_;
  std::size_t size_;
};

/// The rank on whose clock the experiment is timed.
Rank measuring_rank(const Experiment& experiment);

/// Throws Error unless `ranks` ranks can make all experiments with messages of at most `largest` bytes.
void check_experiments(std::span<const Experiment> experiments, int ranks, Bytes largest);

}  // namespace tombolo
