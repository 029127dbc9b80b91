#pragma once

#include <tombolo/models/link_table.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// The heterogeneous Hockney model (LMO paper, section 3): M bytes take alpha_ij + beta_ij M, alpha_ij = alpha_ji and
/// beta_ij = beta_ji, for every pair inside a logical cluster and for every pair of clusters. Both ports are busy all
/// the while, as in Hockney.
class HockneyPairs : public Model {
 public:
  /// Throws Error for figures that are negative, and for a memory rate, in B/s, that is not positive.
  HockneyPairs(LinkTable links, BytesPerSecond memory_rate);

  /// alpha and beta.
  const LinkTable& links() const { return links_; }

  std::string name() const override { return "hockney-pairs"; }
  std::string describe() const override;
  /// Throws Error where from and to are the same.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, memory_rate_); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  LinkTable links_;
  BytesPerSecond memory_rate_;
  Picoseconds longest_latency_ = 0;
};

}  // namespace tombolo
