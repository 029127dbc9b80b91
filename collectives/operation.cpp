#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include <tombolo/collectives/operation.hpp>

namespace tombolo {

namespace {

constexpr auto table = std::to_array<OperationTraits>({
    {Operation::barrier, "barrier", "", Sizes::none, false, false},
    {Operation::bcast, "bcast", "", Sizes::vector, true, false},
    {Operation::reduce, "reduce", "", Sizes::vector, true, true},
    {Operation::allreduce, "allreduce", "", Sizes::vector, false, true},
    {Operation::scan, "scan", "", Sizes::vector, false, true},
    {Operation::exscan, "exscan", "", Sizes::vector, false, true},
    {Operation::scatterv, "scatterv", "scatter", Sizes::blocks, true, false},
    {Operation::gatherv, "gatherv", "gather", Sizes::blocks, true, false},
    {Operation::allgatherv, "allgatherv", "allgather", Sizes::blocks, false, false},
    {Operation::reduce_scatter, "reduce_scatter", "reduce_scatter_block", Sizes::blocks, false, true},
    {Operation::alltoallv, "alltoallv", "alltoall", Sizes::exchange, false, false},
});

constexpr bool in_order_of_the_enumeration() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].operation != static_cast<Operation>(i)) return false;
  }
  return true;
}
static_assert(in_order_of_the_enumeration());

}  // namespace

const OperationTraits& traits(Operation operation) {
  return table[static_cast<std::size_t>(operation)];
}

const std::vector<Operation>& all_operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> operations;
    std::transform(table.begin(), table.end(), std::back_inserter(operations),
                   [](const OperationTraits& t) { return t.operation; });
    return operations;
  }();
  return all;
}

std::optional<Operation> find_operation(std::string_view name_or_regular) {
  const auto found = std::find_if(table.begin(), table.end(), [name_or_regular](const OperationTraits& t) {
    return name_or_regular == t.name || (!t.regular.empty() && name_or_regular == t.regular);
  });
  if (found == table.end()) return std::nullopt;
  return found->operation;
}

}  // namespace tombolo
