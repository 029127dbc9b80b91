#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tombolo {

/// The collective operations, with MPI's names. A regular scatter, gather, allgather or alltoall is its v-form with
/// equal counts, reduce_scatter_block is reduce_scatter with equal counts.
enum class Operation {
  barrier,
  bcast,
  reduce,
  allreduce,
  scan,
  exscan,
  scatterv,
  gatherv,
  allgatherv,
  reduce_scatter,
  alltoallv
};

/// How an operation's sizes are given.
enum class Sizes {
  none,
  vector,   ///< one count, the same on every rank
  blocks,   ///< one count per rank
  exchange  ///< one count per pair of ranks
};

/// What is said of an operation elsewhere once and for all.
struct OperationTraits {
  Operation operation;
  std::string_view name;
  std::string_view regular;  ///< another name that is understood, for equal counts; or empty
  Sizes sizes;
  bool rooted;    ///< one rank, the root, plays a part of its own
  bool combines;  ///< elements are combined by a reduction
};
const OperationTraits& traits(Operation operation);

inline std::string_view name(Operation operation) {
  return traits(operation).name;
}
inline bool is_rooted(Operation operation) {
  return traits(operation).rooted;
}
inline bool combines(Operation operation) {
  return traits(operation).combines;
}
inline Sizes sizes(Operation operation) {
  return traits(operation).sizes;
}

/// The operation of that name; regular names ("scatter", "reduce_scatter_block") are understood. Nothing when there is
/// none.
std::optional<Operation> find_operation(std::string_view name_or_regular);

const std::vector<Operation>& all_operations();

}  // namespace tombolo
