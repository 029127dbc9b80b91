#include <tombolo/collectives/operation.hpp>

namespace tombolo {

std::string_view name(Operation operation) {
  switch (operation) {
    case Operation::barrier:
      return "barrier";
    case Operation::bcast:
      return "bcast";
    case Operation::reduce:
      return "reduce";
    case Operation::scatterv:
      return "scatterv";
    case Operation::gatherv:
      return "gatherv";
    case Operation::alltoallv:
      return "alltoallv";
  }
  return "unknown";
}

const std::vector<Operation>& all_operations() {
  static const std::vector<Operation> all{Operation::barrier,  Operation::bcast,   Operation::reduce,
                                          Operation::scatterv, Operation::gatherv, Operation::alltoallv};
  return all;
}

std::optional<Operation> find_operation(std::string_view name_or_regular) {
  for (const Operation operation : all_operations()) {
    const std::string_view full = name(operation);
    const bool v_form = full.back() == 'v' && name_or_regular == full.substr(0, full.size() - 1);
    if (name_or_regular == full || v_form) return operation;
  }
  return std::nullopt;
}

}  // namespace tombolo
