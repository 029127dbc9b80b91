#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/framework/program/declare/division.hpp>

namespace tombolo {

/// Hands out items in chunks. A chunk is a quarter of the rank's share of the remaining items, but at least a grain.
///
///     Chunks chunks(Division({{80, 20}}), 1);      chunks.next(0) is 20 items, then chunks.next(1) 4, ...
class Chunks {
 public:
  Chunks(const Division& shares, std::int64_t grain)
      : shares_(shares.shares()), items_(shares.items()), grain_(grain) {}

  std::int64_t left() const { return items_ - next_; }
  /// Returns the next chunk of a rank; empty after the last item. `local` is left to the rank.
  Slice next(Rank rank);
  /// Returns the largest chunk that next() may give a rank.
  std::int64_t largest(Rank rank) const;

 private:
  std::int64_t chunk(Rank rank, std::int64_t of) const;

  std::vector<std::int64_t> shares_;
  std::int64_t items_;
  std::int64_t grain_;
  std::int64_t next_ = 0;
};

}  // namespace tombolo
