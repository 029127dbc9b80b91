#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/counts.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

// Block k of a row is the place-th largest: steps of about the golden section, other ones in each row.
int place_of(int k, int row, int blocks) {
  int step = static_cast<int>(std::int64_t{blocks} * 618 / 1000) + 1;
  while (std::gcd(step, blocks) != 1) ++step;
  return static_cast<int>((std::int64_t{k} * step + std::int64_t{row} * 7) % blocks);
}

std::int64_t weight(int place, int blocks, Counts counts) {
  constexpr std::int64_t one = 1 << 20;
  if (counts == Counts::zipf) return one / (place + 1);
  return place <= (blocks - 1) / 4 ? one : 0;
}

std::vector<std::int64_t> counts_of(std::int64_t total, int blocks, int row, Counts counts) {
  std::vector<std::int64_t> weights;
  for (int k = 0; k < blocks; ++k) weights.push_back(weight(place_of(k, row, blocks), blocks, counts));
  __extension__ using Wide = __int128;
  const Wide all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  for (std::int64_t& each : weights) each = static_cast<std::int64_t>(static_cast<Wide>(total) * each / all);
  return weights;
}

}  // namespace

Request with_counts(const Request& regular, Counts counts) {
  if (counts == Counts::equal || regular.ranks < 1) return regular;
  Request uneven = regular;
  switch (sizes(regular.operation)) {
    case Sizes::blocks:
      uneven.blocks = Blocks(counts_of(regular.blocks.total(), regular.ranks, 0, counts));
      return uneven;
    case Sizes::exchange: {
      std::vector<std::vector<std::int64_t>> rows;
      for (Rank rank = 0; rank < regular.ranks; ++rank) {
        rows.push_back(counts_of(regular.exchange.sends(rank).total(), regular.ranks, rank, counts));
      }
      uneven.exchange = Exchange::matrix(rows);
      return uneven;
    }
    case Sizes::none:
    case Sizes::vector:
      break;
  }
  throw Error(fmt::format("uneven counts of {}, which has none", name(regular.operation)),
              "ask for scatterv, gatherv, allgatherv, reduce_scatter or alltoallv");
}

}  // namespace tombolo
