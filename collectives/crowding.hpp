#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/contention.hpp>
#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// What a direct total exchange takes by closed forms: where it is too large to simulate, and where contention was
/// measured. Exchanges whose counts are no product (Exchange::factors) have no closed form.
class Crowding {
 public:
  /// Of these ranks of a platform, which must outlive it, as must the signature; null: none was measured.
  Crowding(const Platform& platform, std::vector<Rank> members, const LinkContention* measured);

  /// From the first message until the last has arrived, where nothing but the links limits the exchange: overheads of
  /// P - 1 messages, the busiest link, the longest latency. Nothing where there is no closed form, or the rates of
  /// links are not known.
  std::optional<Picoseconds> direct(const Request& request, const Model& model) const;

  /// What the measured signature says of it, all messages being under way at once. Nothing where none was measured, or
  /// the exchange has no closed form.
  std::optional<Picoseconds> measured(const Request& request) const;

 private:
  std::optional<LinkLoads> loads_of(const Request& request) const;

  const Platform* platform_;
  std::vector<Rank> members_;
  const LinkContention* measured_;
  Picoseconds overhead_ = 0;  // of a message, sent and received: the median
};

}  // namespace tombolo
