#pragma once

#include <functional>
#include <string>

#include <tombolo/collectives/predict/predict.hpp>

#include "collectives/forms/plogp.hpp"

namespace tombolo::test {

/// A model that is whatever a function says of a message; nothing local takes time.
class FunctionModel : public Model {
 public:
  using Cost = std::function<MessageCost(Rank from, Rank to, Bytes bytes)>;
  explicit FunctionModel(Cost cost) : cost_(std::move(cost)) {}

  std::string name() const override { return "function"; }
  std::string describe() const override { return "a function"; }
  MessageCost message(Rank from, Rank to, Bytes bytes) const override { return cost_(from, to, bytes); }
  Picoseconds local(Bytes) const override { return 0; }
  Picoseconds longest_latency() const override { return cost_(0, 1, 0).transit; }

 private:
  Cost cost_;
};

/// What the closed forms in pLogP assume: ports are busy for g(m), and L later the message is there.
inline FunctionModel model_of(const forms::Plogp& plogp) {
  return FunctionModel([plogp](Rank, Rank, Bytes bytes) {
    return MessageCost{.send = plogp.gap(bytes), .transit = plogp.latency, .receive = plogp.gap(bytes)};
  });
}

/// Messages that take both ports all their time.
inline FunctionModel one_port(const std::function<Picoseconds(Rank, Rank, Bytes)>& time) {
  return FunctionModel([time](Rank from, Rank to, Bytes bytes) {
    const Picoseconds busy = time(from, to, bytes);
    return MessageCost{.send = busy, .receive = busy};
  });
}

/// A gap with a knee, so that nothing is exact for being linear.
inline Picoseconds bent_gap(Bytes bytes) {
  return 2'000'000 + 8000 * bytes + (bytes > 1500 ? 3'000'000 + 500 * (bytes - 1500) : 0);
}

inline Picoseconds makespan(const Request& request, const Algorithm& algorithm, const Model& model,
                            const Parameters& parameters = {}) {
  return predict(Plan(request, algorithm, parameters), model).makespan;
}

}  // namespace tombolo::test
