#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tombolo {

/// The collective operations, with MPI's names. A regular scatter, gather or alltoall is its v-form with equal counts.
enum class Operation { barrier, bcast, reduce, scatterv, gatherv, alltoallv };

std::string_view name(Operation operation);

/// The operation of that name; regular names ("scatter") are understood. Nothing when there is none.
std::optional<Operation> find_operation(std::string_view name_or_regular);

const std::vector<Operation>& all_operations();

/// Whether one rank, the root, plays a part of its own.
constexpr bool is_rooted(Operation operation) {
  return operation == Operation::bcast || operation == Operation::reduce || operation == Operation::scatterv ||
         operation == Operation::gatherv;
}

}  // namespace tombolo
