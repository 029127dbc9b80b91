#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include <tombolo/collectives/request/operation.hpp>

namespace tombolo {

namespace {

#define TOMBOLO_OPERATION(constant, regular, form, root, combines) \
  {Operation::constant, #constant, regular, Sizes::form, Root::root, combines},
constexpr auto table = std::to_array<OperationTraits>({
#include <tombolo/collectives/request/operations.def>
});
#undef TOMBOLO_OPERATION

}  // namespace

const OperationTraits& traits(Operation operation) {
  return table[static_cast<std::size_t>(operation)];
}

const std::vector<Operation>& all_operations() {
  static const std::vector<Operation> all = [] {
    std::vector<Operation> operations;
    std::ranges::transform(table, std::back_inserter(operations), [](const OperationTraits& t) { return t.operation; });
    return operations;
  }();
  return all;
}

std::optional<Operation> find_operation(std::string_view name_or_regular) {
  const auto found = std::ranges::find_if(table, [name_or_regular](const OperationTraits& t) {
    return name_or_regular == t.name || (!t.regular.empty() && name_or_regular == t.regular);
  });
  if (found == table.end()) return std::nullopt;
  return found->operation;
}

}  // namespace tombolo
