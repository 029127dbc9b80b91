#pragma once

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/models/pairs/link_table.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

/// The heterogeneous Hockney model (LMO paper, section 3): M bytes take alpha_ij + beta_ij M, with alpha_ij = alpha_ji
/// and beta_ij = beta_ji, for every pair inside a logical cluster and every pair of clusters. Both ports are busy for
/// the whole time, as in Hockney.
class HockneyPairs : public Model {
 public:
  /// Throws Error for negative figures, and for a memory rate, in B/s, that is not positive.
  HockneyPairs(LinkTable links, BytesPerSecond memory_rate);

  /// alpha and beta.
  const LinkTable& links() const { return links_; }

  std::string name() const override { return "hockney-pairs"; }
  std::string describe() const override;
  /// Throws Error if from equals to.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, memory_rate_); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  LinkTable links_;
  BytesPerSecond memory_rate_;
  Picoseconds longest_latency_ = 0;
};

/// Returns the pairs to be measured, each once with a < b: all pairs inside a logical cluster of at most 64 ranks; 64
/// pseudo-random pairings of the ranks of a larger one, equal on all ranks; three pairs of every class.
std::vector<std::pair<Rank, Rank>> measured_pairs(const PairClasses& classes);

/// Estimates alpha and beta of all pairs by measure_hockney; unmeasured pairs inside clusters and pairs between
/// clusters get the medians of their class. Collective.
LinkTable estimate_hockney_pairs(const PairClasses& classes, Laboratory& laboratory);

/// Makes the model from the output of written_links. Throws Error for parameters of another model or platform.
HockneyPairs read_hockney_pairs(const Platform& platform, const Json& parameters);

}  // namespace tombolo
