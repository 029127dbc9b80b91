#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/exchange.hpp>
#include <tombolo/framework/program/division.hpp>

namespace tombolo {

/// Rows that one member sends another, or gets from it, when halos are exchanged.
struct HaloRows {
  Rank with = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const HaloRows&) const = default;
};

/// What each rank needs of others: up to `halo` rows before its own and behind them, whoever has them. A rank without
/// rows needs none. Slices are in one panel. In the order of the members.
std::vector<HaloRows> halo_needed(const Division& rows, std::int64_t halo, Rank member);
std::vector<HaloRows> halo_given(const Division& rows, std::int64_t halo, Rank member);

/// The same as an exchange of elements: which all ranks know, up to 256 of them; else a rank's own.
Exchange halo_exchange(const Division& rows, std::int64_t halo, std::int64_t columns, Rank member);

}  // namespace tombolo
