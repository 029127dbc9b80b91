#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/choose/tuning.hpp>

namespace tombolo::test {

// Two ranks on each.
inline std::vector<std::string> hosts(int ranks) {
  std::vector<std::string> names;
  for (int rank = 0; rank < ranks; ++rank) names.push_back(fmt::format("node{}", rank / 2));
  return names;
}

// For the first algorithm there is.
inline Decision flat(Operation operation, Rank root, Bytes bytes) {
  return {.operation = operation,
          .root = root,
          .bytes = bytes,
          .algorithm = std::string(algorithms_for(operation).front()->name),
          .predicted = bytes + 1};
}

}  // namespace tombolo::test
