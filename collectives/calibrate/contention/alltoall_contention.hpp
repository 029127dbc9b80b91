#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/calibrate/contention/contention.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// Times of a direct alltoall in closed form, for alltoalls too large to simulate and for measured contention. An
/// alltoallv whose counts are not a product (AlltoallCounts::factors) has no closed form.
class AlltoallContention {
 public:
  /// For these ranks of a platform. `platform` and `measured` must outlive the object; null: no measured contention.
  AlltoallContention(const Platform& platform, std::vector<Rank> members, const LinkContention* measured);

  /// Returns the time from the first message to the last arrival, limited by links alone: overheads of P - 1 messages,
  /// the busiest link, the longest latency. Nothing without a closed form or without known link rates.
  std::optional<Picoseconds> direct(const Request& request, const Model& model) const;

  /// Returns the time by the measured signature, with all messages in flight at once. Nothing without a signature or a
  /// closed form.
  std::optional<Picoseconds> measured(const Request& request) const;

 private:
  std::optional<LinkLoads> loads_of(const Request& request) const;

  const Platform* platform_;
  std::vector<Rank> members_;
  const LinkContention* measured_;
  Picoseconds overhead_ = 0;  // of a message, send and receive: the median
};

}  // namespace tombolo
