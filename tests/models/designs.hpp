#pragma once

#include <random>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>

namespace tombolo::test {

inline std::vector<Experiment> all_pairs(int ranks) {
  std::vector<Experiment> batch;
  for (Rank a = 0; a < ranks; ++a) {
    for (Rank b = a + 1; b < ranks; ++b) batch.push_back({.a = a, .b = b});
  }
  return batch;
}

/// Every triplet three times, each of its ranks once at the root.
inline std::vector<Experiment> all_triplets(int ranks) {
  constexpr auto kind = Experiment::Kind::one_to_two;
  std::vector<Experiment> batch;
  for (Rank i = 0; i < ranks; ++i) {
    for (Rank j = i + 1; j < ranks; ++j) {
      for (Rank k = j + 1; k < ranks; ++k) {
        batch.push_back({.kind = kind, .a = i, .b = j, .c = k});
        batch.push_back({.kind = kind, .a = j, .b = i, .c = k});
        batch.push_back({.kind = kind, .a = k, .b = i, .c = j});
      }
    }
  }
  return batch;
}

/// Of all kinds, between any ranks; there are two at least.
inline std::vector<Experiment> any_experiments(int ranks, int number, std::mt19937& random) {
  std::vector<Experiment> batch;
  const auto any_rank = [&] { return static_cast<Rank>(random() % static_cast<unsigned>(ranks)); };
  for (int i = 0; i < number; ++i) {
    Experiment one{.kind = static_cast<Experiment::Kind>(random() % 8), .there = static_cast<Bytes>(random() % 3 * 64)};
    if (ranks == 2 && one.kind == Experiment::Kind::one_to_two) one.kind = Experiment::Kind::exchange;
    one.a = any_rank();
    do {
      one.b = any_rank();
    } while (one.b == one.a);
    while (one.kind == Experiment::Kind::one_to_two && (one.c < 0 || one.c == one.a || one.c == one.b)) {
      one.c = any_rank();
    }
    batch.push_back(one);
  }
  return batch;
}

/// The host of each rank, so many to a host.
inline std::vector<int> ranks_on(int ranks, int per_host) {
  std::vector<int> hosts;
  for (int rank = 0; rank < ranks; ++rank) hosts.push_back(rank / per_host);
  return hosts;
}

}  // namespace tombolo::test
