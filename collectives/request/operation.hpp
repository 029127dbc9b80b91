#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tombolo {

/// The collective operations, with MPI's names. Scatter, gather, allgather and alltoall are the v-forms with equal
/// counts; reduce_scatter_block is reduce_scatter with equal counts.
enum class Operation {
#define TOMBOLO_OPERATION(constant, regular, form, root, combines) constant,
#include <tombolo/collectives/request/operations.def>
#undef TOMBOLO_OPERATION
};

/// Form of an operation's sizes.
enum class Sizes {
  none,
  vector,   ///< one count, the same on every rank
  blocks,   ///< one count per rank
  exchange  ///< one count per pair of ranks
};

/// Role of the root.
enum class Root {
  none,    ///< the operation has no root
  source,  ///< data goes from the root to all ranks
  target   ///< data goes from all ranks to the root
};

/// Constant properties of an operation, from operations.def.
struct OperationTraits {
  Operation operation;
  std::string_view name;
  std::string_view regular;  ///< name of the form with equal counts; or empty
  Sizes sizes;
  Root root;
  bool combines;  ///< applies a reduction
};
const OperationTraits& traits(Operation operation);

inline std::string_view name(Operation operation) {
  return traits(operation).name;
}
inline bool is_rooted(Operation operation) {
  return traits(operation).root != Root::none;
}
inline bool combines(Operation operation) {
  return traits(operation).combines;
}
inline Sizes sizes(Operation operation) {
  return traits(operation).sizes;
}
/// True if the blocks are the parts of a vector that every rank contributes (reduce_scatter): sizes are then stated of
/// the vector, not of a block.
inline bool divides_vector(Operation operation) {
  return sizes(operation) == Sizes::blocks && combines(operation);
}

/// Returns the operation of that name or regular name ("scatter", "reduce_scatter_block"); empty if unknown.
std::optional<Operation> find_operation(std::string_view name_or_regular);

const std::vector<Operation>& all_operations();

}  // namespace tombolo
