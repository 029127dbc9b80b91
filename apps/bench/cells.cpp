#include "bench/cells.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <tombolo/collectives/scheduled.hpp>
#include <tombolo/collectives/stated_mapping.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>

#include "size_range.hpp"
#include "validators.hpp"

namespace tombolo::benchmarking {

namespace {

std::vector<Operation> operations_of(const std::string& words) {
  if (words == "all") return all_operations();
  std::vector<Operation> operations;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, end - at);
    const auto operation = find_operation(word);
    if (!operation) {
      std::vector<std::string> names;
      for (const Operation known : all_operations()) names.emplace_back(name(known));
      throw Error(fmt::format("there is no operation '{}'", printable(word)),
                  "choose from " + listed(names) + ", or all");
    }
    operations.push_back(*operation);
    at = end + 1;
  }
  return operations;
}

std::vector<Rank> roots_of(const Options& options, int ranks) {
  if (options.root == "rotate" || options.root == "turns") return {0};
  std::vector<Rank> roots;
  if (options.root == "all") {
    for (Rank root = 0; root < ranks; ++root) roots.push_back(root);
    return roots;
  }
  std::string digits = options.root;
  const bool good = whole_number(0, ranks - 1)(digits).empty();
  if (!good) {
    throw Error(fmt::format("--root {} of {} ranks", printable(options.root), ranks),
                fmt::format("give 0 to {}, all, rotate or turns", ranks - 1));
  }
  return {std::stoi(digits)};
}

void check_algorithm(Operation operation, const Options& options) {
  const MappingOptions& mapping = options.mapping;
  if (options.algorithm == "best" || options.algorithm == "all") {
    if (!mapping.any()) return;
    throw Error(fmt::format("{} with --algorithm {}", mapping.mapping ? "--mapping" : "--schedule", options.algorithm),
                "name an algorithm over a tree, or mapped");
  }
  const Algorithm& algorithm = find_algorithm(operation, options.algorithm);
  if (mapping.mapping) check_has_places(algorithm);
  if (mapping.schedule.empty()) return;
  stated_schedule(mapping.schedule);
  check_follows_schedule(algorithm);
}

}  // namespace

std::vector<Cell> cells_of(const Options& options, int ranks) {
  std::vector<Cell> cells;
  const std::vector<Rank> roots = roots_of(options, ranks);
  for (const Operation operation : operations_of(options.operations)) {
    check_algorithm(operation, options);
    const auto sizes_of = sizes(operation) == Sizes::none ? std::vector<Bytes>{0} : size_range(options.bytes);
    for (const Bytes bytes : sizes_of) {
      for (const Rank root : is_rooted(operation) ? roots : std::vector<Rank>{0})
        cells.push_back({operation, bytes, root});
    }
  }
  return cells;
}

}  // namespace tombolo::benchmarking
