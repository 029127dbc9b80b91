#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/contention.hpp>
#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// What a direct total exchange takes by closed forms: where it is too large to simulate, and what contention adds to
/// it where that was measured. Exchanges whose counts are no product (Exchange::factors) have no closed form.
class Crowding {
 public:
  /// Of these ranks of a platform, which must outlive it, as must the signature; null: none was measured.
  Crowding(const Platform& platform, std::vector<Rank> members, const LinkContention* measured);

  /// From the first message until the last has arrived, where nothing but the links limits the exchange: overheads of
  /// P - 1 messages, the busiest link, the longest latency. Nothing where there is no closed form, or the rates of
  /// links are not known.
  std::optional<Picoseconds> direct(const Request& request, const Model& model) const;

  /// What the measured signature has beyond the same form with all gammas one and no delta, for an exchange in which
  /// every rank has so many messages under way at a time (0: all). It grows with their number: contention is a matter
  /// of messages that meet. 0 where none was measured.
  Picoseconds excess(const Request& request, int under_way) const;

 private:
  std::optional<LinkLoads> loads_of(const Request& request) const;

  const Platform* platform_;
  std::vector<Rank> members_;
  const LinkContention* measured_;
  Picoseconds overhead_ = 0;  // of a message, sent and received: the median
};

}  // namespace tombolo
