#pragma once

#include <vector>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/circulant.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>

namespace tombolo {

/// One rank's rounds of a broadcast of a vector's segments, almost equal, over the circulant graph, from the request's
/// root. A reduction has the same rounds backwards.
class CirculantRounds {
 public:
  CirculantRounds(Buffer vector, const Request& request, const Parameters& parameters, Rank rank)
      : rank_order_(request.ranks, request.root, parameters.order),
        segments_(equal_segments({vector, 0, request.count}, request.element_bytes, parameters.segment_bytes)),
        rounds_(
            Circulant(request.ranks).broadcast(rank_order_.place(rank), static_cast<std::int64_t>(segments_.size()))) {}

  const std::vector<Circulant::Round>& rounds() const { return rounds_; }
  Rank rank(int place) const { return rank_order_.rank(place); }
  std::int64_t segments() const { return static_cast<std::int64_t>(segments_.size()); }
  const BufferRange& segment(std::int64_t number) const { return segments_[static_cast<std::size_t>(number)]; }

 private:
  RankOrder rank_order_;
  std::vector<BufferRange> segments_;
  std::vector<Circulant::Round> rounds_;
};

/// Algorithm::filling of the algorithms over these rounds.
inline int circulant_filling(const Request& request) {
  return Circulant(request.ranks).degree() - 1;
}

/// Algorithm::regular of the broadcast over these rounds, and of the reduction with `combines`.
template <bool combines>
std::vector<RegularRounds> circulant_regular(const Request& request, const Parameters& parameters) {
  const std::vector<BufferRange> all =
      equal_segments({Buffer::output, 0, request.count}, request.element_bytes, parameters.segment_bytes);
  if (all.empty() || request.ranks == 1) return {};
  const std::int64_t each = all.front().count;
  return {{.number = static_cast<std::int64_t>(all.size()) + circulant_filling(request),
           .sent = each,
           .combined = combines ? each : 0}};
}

}  // namespace tombolo
