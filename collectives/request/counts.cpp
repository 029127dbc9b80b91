#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/request/counts.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

// Position of block k of a row by size (0: largest). Steps of about the golden section; an offset per row.
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

std::string operations_with_counts(std::string_view conjunction) {
  std::string names;
  std::string_view last;
  for (const Operation operation : all_operations()) {
    if (sizes(operation) != Sizes::blocks && sizes(operation) != Sizes::exchange) continue;
    if (!last.empty()) names += fmt::format("{}{}", names.empty() ? "" : ", ", last);
    last = name(operation);
  }
  return fmt::format("{} {} {}", names, conjunction, last);
}

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
      uneven.exchange = AlltoallCounts::matrix(rows);
      return uneven;
    }
    case Sizes::none:
    case Sizes::vector:
      break;
  }
  throw Error(fmt::format("uneven counts of {}, which has none", name(regular.operation)),
              fmt::format("ask for {}", operations_with_counts("or")));
}

}  // namespace tombolo
