#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

RankOrder::RankOrder(int ranks, Rank root, std::vector<Rank> order)
    : ranks_(ranks), first_(root), order_(std::move(order)) {
  if (order_.empty()) return;
  place_of_.assign(static_cast<std::size_t>(ranks_), -1);
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const Rank rank = order_[place];
    if (rank < 0 || rank >= ranks_ || place_of_[static_cast<std::size_t>(rank)] >= 0) {
      throw Error(fmt::format("rank {} at place {} of an order of {} ranks", rank, place, ranks_),
                  "name every rank once");
    }
    place_of_[static_cast<std::size_t>(rank)] = static_cast<int>(place);
  }
  if (static_cast<int>(order_.size()) != ranks_ || order_.front() != root) {
    throw Error(fmt::format("an order of {} ranks that begins with {}", order_.size(), order_.front()),
                fmt::format("order all {} ranks, the root {} first", ranks_, root));
  }
}

Rank RankOrder::rank(int place) const {
  if (!order_.empty()) return order_[static_cast<std::size_t>(place)];
  const int rank = first_ + place;
  return rank < ranks_ ? rank : rank - ranks_;
}

int RankOrder::place(Rank rank) const {
  if (!order_.empty()) return place_of_[static_cast<std::size_t>(rank)];
  const int place = rank - first_;
  return place >= 0 ? place : place + ranks_;
}

}  // namespace tombolo
