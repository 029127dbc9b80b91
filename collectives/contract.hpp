#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/rank_set.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// What an element stands for while a plan is proved: element `index` of the vectors that the ranks in `ranks` brought
/// along, combined by the reduction where there are several.
struct Symbol {
  std::int64_t index = 0;
  RankSet ranks;
  bool operator==(const Symbol&) const = default;
};

/// A piece of a buffer and the symbol of its first element; the following ones have the following indices.
struct Content {
  Piece piece;
  Symbol first;
};

/// What an operation promises to one rank: how large its buffers are, what stands in them before and must stand in them
/// after, whether it may not end before all ranks have begun, and whether it combines elements. Nobody writes to an
/// input.
struct Contract {
  std::int64_t input_size = 0;
  std::int64_t output_size = 0;
  std::int64_t counts_size = 0;
  std::int64_t scratch_limit = 0;  ///< elements a rank may take besides: no more than what the call is about
  std::vector<Content> before;
  std::vector<Content> after;
  bool synchronises = false;
  bool reduces = false;  ///< whether there is an operation that reduce steps may apply
};

/// The request must hold all the counts that concern the rank.
Contract contract(const Request& request, Rank rank);

/// While counts are learned: entry r of Buffer::counts is there at first where `rank` knows the count of rank r.
Contract learning_contract(const Request& request, Rank rank);

}  // namespace tombolo
