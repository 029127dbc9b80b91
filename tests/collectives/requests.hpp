#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <tombolo/collectives/request/request.hpp>

namespace tombolo::test {

/// How the counts of a request are laid out over ranks.
enum class Spread { none, equal, uneven, one };

inline std::vector<std::int64_t> counts(int ranks, Spread spread, std::mt19937& random) {
  std::vector<std::int64_t> result(static_cast<std::size_t>(ranks), 0);
  if (spread == Spread::equal) result.assign(result.size(), 5);
  if (spread == Spread::one) result[random() % result.size()] = 7;
  if (spread == Spread::uneven) {
    for (auto& n : result) n = random() % 4 == 0 ? 0 : static_cast<std::int64_t>(random() % 20);
  }
  return result;
}

/// A request of the operation with sizes of that kind. Elements of 8 bytes.
inline Request request(Operation operation, int ranks, Rank root, Spread spread, std::mt19937& random) {
  constexpr Bytes element = 8;
  const std::int64_t vector = spread == Spread::none ? 0 : spread == Spread::equal ? 64 : 37;
  switch (sizes(operation)) {
    case Sizes::none:
      return Request::of_vector(operation, ranks, root, 0, 0);
    case Sizes::vector:
      return Request::of_vector(operation, ranks, root, vector, element);
    case Sizes::blocks:
      return Request::of_blocks(operation, root, Blocks(counts(ranks, spread, random)), element);
    case Sizes::exchange: {
      // Every other one is known to be a product.
      if (random() % 2 == 0) {
        const Blocks rows(counts(ranks, spread, random));
        return Request::of_exchange(operation, ranks,
                                    AlltoallCounts::product(rows, Blocks(counts(ranks, spread, random))), element);
      }
      std::vector<std::vector<std::int64_t>> rows;
      for (int r = 0; r < ranks; ++r) rows.push_back(counts(ranks, spread, random));
      return Request::of_exchange(operation, ranks, AlltoallCounts::matrix(rows), element);
    }
  }
  return {};
}

}  // namespace tombolo::test
