#include <tombolo/collectives/predict/longest_chain.hpp>
#include <tombolo/collectives/predict/predict.hpp>

namespace tombolo {

namespace {

/// A model in which every message takes one unit of time, without contention, and local work takes none.
class Counting final : public Model {
 public:
  std::string name() const override { return "counting"; }
  std::string describe() const override { return "every message takes one step"; }
  MessageCost message(Rank, Rank, Bytes) const override { return {.transit = 1}; }
  Picoseconds local(Bytes) const override { return 0; }
  Picoseconds longest_latency() const override { return 1; }
};

}  // namespace

int longest_chain(const Plan& plan) {
  return static_cast<int>(predict(plan, Counting()).makespan);
}

}  // namespace tombolo
