#pragma once

#include <cstddef>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/redistribution.hpp>

/// What of each rank; and indices and bytes as the standard library has them.
template <class T>
using PerRank = std::vector<std::vector<T>>;

inline std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

template <class T>
const std::byte* bytes(const std::vector<T>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

template <class T>
std::byte* bytes(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

/// What every rank receives of what all send, as the request of each says it.
template <class T>
PerRank<T> carried_out(const tombolo::Redistribution& moves, const PerRank<T>& sent) {
  const int ranks = moves.ranks();
  PerRank<T> received(index(ranks));
  if (!moves.operation()) return received;
  bool fits = true;
  std::vector<tombolo::Request> requests;
  for (tombolo::Rank rank = 0; rank < ranks; ++rank) {
    requests.push_back(*moves.request(rank, sizeof(T)));
    fits = fits && requests.back().operation == *moves.operation() && requests.back().element_bytes == sizeof(T);
    fits = fits && requests.back().root == requests.front().root;
  }
  for (tombolo::Rank from = 0; from < ranks; ++from) {
    const tombolo::Request& theirs = requests[index(from)];
    const tombolo::Blocks sends =
        theirs.operation == tombolo::Operation::alltoallv ? theirs.exchange.sends(from) : theirs.blocks;
    for (tombolo::Rank to = 0; to < ranks; ++to) {
      const tombolo::Request& own = requests[index(to)];
      std::int64_t at = 0;
      std::int64_t count = 0;
      switch (own.operation) {
        case tombolo::Operation::bcast:
          count = from == own.root ? own.count : 0;
          break;
        case tombolo::Operation::scatterv:
          at = sends.offset(to);
          count = from == own.root ? sends.count(to) : 0;
          break;
        case tombolo::Operation::gatherv:
          count = to == own.root ? own.blocks.count(from) : 0;
          break;
        case tombolo::Operation::allgatherv:
          count = own.blocks.count(from);
          break;
        default:
          at = sends.offset(to);
          count = sends.count(to);
          fits = fits && count == own.exchange.receives(to).count(from) && sends.total() == moves.sends(from);
      }
      const auto& values = sent[index(from)];
      fits = fits && (count == 0 || at + count <= std::ssize(values));
      if (!fits) return PerRank<T>(index(ranks));
      received[index(to)].insert(received[index(to)].end(), values.begin() + (count == 0 ? 0 : at),
                                 values.begin() + (count == 0 ? 0 : at + count));
    }
  }
  for (tombolo::Rank rank = 0; rank < ranks; ++rank)
    fits = fits && std::ssize(received[index(rank)]) == moves.receives(rank);
  REQUIRE(fits);
  return received;
}
