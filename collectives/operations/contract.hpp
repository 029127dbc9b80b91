#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Ranks `first` to `last`, inclusive.
struct RankRange {
  Rank first = 0;
  Rank last = 0;
  bool operator==(const RankRange&) const = default;
};

/// A set of ranks as ascending ranges without overlap or contact. Collectives combine neighbouring ranks, so few ranges
/// suffice, where a bitmap would grow with the number of ranks.
using RankSet = std::vector<RankRange>;

/// Symbolic value of an element in a proof: element `index` of the vectors contributed by `ranks`, combined by the
/// reduction if there are several ranks.
struct Symbol {
  std::int64_t index = 0;
  RankSet ranks;
  bool operator==(const Symbol&) const = default;
};

/// A buffer range and the symbol of its first element; later elements have consecutive indices.
struct Content {
  BufferRange piece;
  Symbol first;
};

/// Elements `index` and following of a rank's own vector.
Content contribution(const BufferRange& piece, Rank rank, std::int64_t index = 0);

/// Contract of an operation with one rank: buffer sizes in elements, contents before and after, synchronisation, use of
/// a reduction. No rank writes to an input.
struct Contract {
  std::int64_t input_size = 0;
  std::int64_t output_size = 0;
  std::int64_t counts_size = 0;
  std::int64_t scratch_limit = 0;  ///< elements; the call's data, for reductions combining_scratch_limit()
  std::vector<Content> before;
  std::vector<Content> after;
  bool synchronises = false;  ///< no rank may end before all ranks have begun
  bool reduces = false;       ///< reduce steps are allowed
};

/// Contract of the request's operation (rules.hpp). The request must hold all counts that concern the rank.
Contract contract(const Request& request, Rank rank);

/// Contract of the learning stage: entry r of Buffer::counts is present at the start if `rank` knows the count of rank
/// r.
Contract learning_contract(const Request& request, Rank rank);

/// Largest scratch in elements of a rank that combines vectors of `count` elements: twice the vector, or 1 MiB if
/// larger, so that several short vectors may arrive concurrently.
inline std::int64_t combining_scratch_limit(std::int64_t count, Bytes element_bytes) {
  constexpr Bytes small = Bytes{1} << 20;
  return std::max(2 * count, small / std::max<Bytes>(element_bytes, 1));
}

}  // namespace tombolo
