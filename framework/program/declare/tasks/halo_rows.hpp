#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/counts.hpp>
#include <tombolo/framework/program/declare/division.hpp>

namespace tombolo {

/// Rows that a member sends to another member, or receives, in a halo exchange.
struct HaloRows {
  Rank with = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const HaloRows&) const = default;
};

/// Rows that a member receives (needed) and sends (given) in a halo exchange: up to `halo` rows before and behind a
/// rank's own, from any owners. A rank without rows needs none. The domain must be in one panel. In member order.
std::vector<HaloRows> halo_needed(const Division& rows, std::int64_t halo, Rank member);
std::vector<HaloRows> halo_given(const Division& rows, std::int64_t halo, Rank member);

/// Returns the alltoall counts of a halo exchange, in elements: of all ranks for up to 256 ranks, else of the rank
/// alone.
AlltoallCounts halo_exchange(const Division& rows, std::int64_t halo, std::int64_t columns, Rank member);
/// Returns the request of a halo exchange over these rows, with the knowledge of `member`.
Request halo_request(const DeclaredArray& array, const Division& rows, Rank member);

}  // namespace tombolo
