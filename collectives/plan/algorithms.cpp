#include <array>
#include <string>

#include <fmt/format.h>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

std::span<const Algorithm* const> all_algorithms() {
#define TOMBOLO_ALGORITHM(constant) &constant,
  static constexpr auto list = std::to_array<const Algorithm*>({
#include <tombolo/collectives/plan/algorithms.def>
  });
#undef TOMBOLO_ALGORITHM
  return list;
}

std::vector<const Algorithm*> algorithms_for(Operation operation) {
  std::vector<const Algorithm*> found;
  for (const Algorithm* algorithm : all_algorithms()) {
    if (algorithm->operation == operation) found.push_back(algorithm);
  }
  return found;
}

std::vector<const Algorithm*> algorithms_for(const Request& request) {
  std::vector<const Algorithm*> found = algorithms_for(request.operation);
  std::erase_if(found, [&request](const Algorithm* algorithm) { return !algorithm->suits(request); });
  return found;
}

const Algorithm& find_algorithm(Operation operation, std::string_view wanted) {
  std::string names;
  for (const Algorithm* algorithm : algorithms_for(operation)) {
    if (algorithm->name == wanted) return *algorithm;
    names += names.empty() ? "" : ", ";
    names += algorithm->name;
  }
  throw Error(fmt::format("there is no algorithm '{}' for {}", wanted, name(operation)),
              fmt::format("choose one of {}", names));
}

}  // namespace tombolo
