#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

void check(const std::vector<MappedTrees::Weighted>& trees) {
  if (trees.empty()) throw Error("a mapping of no trees", "give one tree at least, or no mapping");
  for (const MappedTrees::Weighted& each : trees) {
    if (each.weight < 1) throw Error(fmt::format("a tree of weight {}", each.weight), "give each 1 or more");
    if (each.tree.ranks() != trees.front().tree.ranks()) {
      throw Error(fmt::format("trees over {} and over {} ranks", trees.front().tree.ranks(), each.tree.ranks()),
                  "let every tree have all ranks");
    }
    const bool positive = std::ranges::all_of(each.long_links, [](Bytes bytes) { return bytes >= 0; });
    if (!each.long_links.empty() && (static_cast<int>(each.long_links.size()) != each.tree.ranks() || !positive)) {
      throw Error(fmt::format("{} long links of {} places in a tree", each.long_links.size(), each.tree.ranks()),
                  "give each place the bytes under way to it, 0 or more");
    }
  }
}

}  // namespace

MappedTrees::MappedTrees(std::string name, std::vector<Weighted> trees) {
  check(trees);
  held_ = std::make_shared<const Held>(Held{std::move(name), std::move(trees)});
}

MappedTrees::MappedTrees(std::string name, RankTree tree)
    : MappedTrees(std::move(name), std::vector<Weighted>{{std::move(tree), 1}}) {}

int MappedTrees::period() const {
  std::int64_t divisor = 0;
  for (const Weighted& each : all()) divisor = std::gcd(divisor, each.weight);
  // A pipeline with a longer period is too slow to fill.
  constexpr std::int64_t most = 256;
  std::int64_t sum = 0;
  for (const Weighted& each : all()) {
    if (each.weight / divisor > most - sum) return size();
    sum += each.weight / divisor;
  }
  return static_cast<int>(sum);
}

bool MappedTrees::operator==(const MappedTrees& other) const {
  return held_ == other.held_ || (held_ && other.held_ && held_->trees == other.held_->trees);
}

}  // namespace tombolo
