#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform/measuring/sample.hpp>

/// How a made-up machine deviates from its model.
struct Noise {
  double percent = 0;   ///< every time is that much longer or shorter at most
  double outliers = 0;  ///< part of all times that are two to ten times as long
  unsigned seed = 1;
};

/// A machine that is exactly as a model says, but for noise. The root of a one-to-two experiment works on the answers
/// in turn (LMO paper, equation 11), or overlaps work on the first one with waiting for the second.
class ModelLaboratory : public tombolo::Laboratory {
 public:
  explicit ModelLaboratory(const tombolo::Model& model, Noise noise = {}, bool overlapped = false)
      : model_(model), noise_(noise), overlapped_(overlapped), random_(noise.seed) {}

  std::vector<tombolo::Measured> run(std::span<const tombolo::Experiment> experiments,
                                     const tombolo::Repeat& repeat) override {
    std::vector<tombolo::Measured> results;
    for (const tombolo::Experiment& experiment : experiments) results.push_back(repeated(experiment, repeat));
    return results;
  }
  tombolo::ExperimentCost cost() const override { return cost_; }

  /// Without noise.
  virtual tombolo::Picoseconds time(const tombolo::Experiment& e) const {
    using Kind = tombolo::Experiment::Kind;
    switch (e.kind) {
      case Kind::round_trip:
        return way(e.a, e.b, e.there) + way(e.b, e.a, e.back);
      case Kind::one_to_two:
        return overlapped_ ? one_to_two_overlapped(e) : one_to_two_in_turn(e);
      case Kind::saturation:
      case Kind::train:
        return (e.count - 1) * sending(e.a, e.b, e.there) + way(e.a, e.b, e.there) + way(e.b, e.a, 0);
      case Kind::send_overhead:
        return model_.message(e.a, e.b, e.there).overhead;
      case Kind::receive_overhead:
        return model_.message(e.b, e.a, e.back).receive_overhead;
      case Kind::exchange:
        return std::max(way(e.a, e.b, e.there), way(e.b, e.a, e.there));
      case Kind::late_receive:
        return sending(e.a, e.b, e.there);
      case Kind::late_arrival:
        return std::max<tombolo::Picoseconds>(0, way(e.a, e.b, e.there) - e.delay);
    }
    return 0;
  }

 protected:
  using Picoseconds = tombolo::Picoseconds;

  const tombolo::Model& model() const { return model_; }
  Picoseconds way(tombolo::Rank from, tombolo::Rank to, tombolo::Bytes bytes) const {
    return tombolo::message_time(model_, from, to, bytes);
  }

 private:
  // Until the sender can send the next one.
  Picoseconds sending(tombolo::Rank from, tombolo::Rank to, tombolo::Bytes bytes) const {
    const tombolo::MessageCost cost = model_.message(from, to, bytes);
    return std::max(cost.overhead, cost.send);
  }
  // From when a message has left the root until its answer is in front of it.
  Picoseconds away(const tombolo::Experiment& e, tombolo::Rank partner) const {
    return way(e.a, partner, e.there) - sending(e.a, partner, e.there) + way(partner, e.a, e.back) -
           model_.message(partner, e.a, e.back).receive_overhead;
  }
  Picoseconds one_to_two_in_turn(const tombolo::Experiment& e) const {
    return sending(e.a, e.b, e.there) + sending(e.a, e.c, e.there) + std::max(away(e, e.b), away(e, e.c)) +
           model_.message(e.b, e.a, e.back).receive_overhead + model_.message(e.c, e.a, e.back).receive_overhead;
  }
  Picoseconds one_to_two_overlapped(const tombolo::Experiment& e) const {
    const Picoseconds sent = sending(e.a, e.b, e.there);
    const Picoseconds from_b = sent + away(e, e.b);
    const Picoseconds from_c = sent + sending(e.a, e.c, e.there) + away(e, e.c);
    const Picoseconds b = model_.message(e.b, e.a, e.back).receive_overhead;
    const Picoseconds c = model_.message(e.c, e.a, e.back).receive_overhead;
    return from_b <= from_c ? std::max(from_b + b, from_c) + c : std::max(from_c + c, from_b) + b;
  }

  Picoseconds draw(Picoseconds exact) {
    if (noise_.percent == 0 && noise_.outliers == 0) return exact;
    std::uniform_real_distribution<double> unit(0, 1);
    double factor = 1 + noise_.percent / 100 * (2 * unit(random_) - 1);
    if (unit(random_) < noise_.outliers) factor *= 2 + 8 * unit(random_);
    return static_cast<Picoseconds>(static_cast<double>(exact) * factor);
  }

  tombolo::Measured repeated(const tombolo::Experiment& experiment, const tombolo::Repeat& repeat) {
    const Picoseconds exact = time(experiment);
    std::vector<std::int64_t> draws;
    const auto enough = [&] {
      const int count = static_cast<int>(draws.size());
      if (count < repeat.least || count >= repeat.most) return count >= repeat.most;
      // Of many, not each one is worth a look.
      return (count < 8 || count % 8 == 0) && tombolo::is_precise(tombolo::median_of(draws), repeat.precision);
    };
    do {
      draws.push_back(draw(exact));
      ++cost_.measurements;
      cost_.messages += experiment.kind == tombolo::Experiment::Kind::one_to_two ? 4 : experiment.count + 1;
      cost_.seconds += tombolo::seconds(draws.back());
    } while (!enough());
    return tombolo::median_of(draws);
  }

  const tombolo::Model& model_;
  Noise noise_;
  bool overlapped_;
  std::mt19937 random_;
  tombolo::ExperimentCost cost_;
};
