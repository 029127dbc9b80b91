#include <algorithm>

#include <tombolo/models/kinds/lmo/lmo_design.hpp>
#include <tombolo/platform/measuring/shuffle_alike.hpp>

namespace tombolo {

namespace {

using Triplet = std::array<Rank, 3>;

constexpr std::size_t most_for_all = 24;
constexpr std::size_t most_for_all_pairs = 64;
constexpr int orders = 64;
constexpr std::size_t with_others = 8;
constexpr int pairs_of_class = 3;

void add(std::vector<Triplet>& triplets, Rank a, Rank b, Rank c) {
  Triplet triplet = {a, b, c};
  std::sort(triplet.begin(), triplet.end());
  triplets.push_back(triplet);
}

void add_all(std::vector<Triplet>& triplets, const std::vector<Rank>& members) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      for (std::size_t k = j + 1; k < members.size(); ++k) add(triplets, members[i], members[j], members[k]);
    }
  }
}

void add_sample(std::vector<Triplet>& triplets, std::vector<Rank> members) {
  std::mt19937 random(1);
  for (int order = 0; order < orders; ++order) {
    shuffle_alike(members, random);
    const std::size_t count = members.size();
    for (std::size_t i = 0; i < count; i += 3) {  // the last triplet wraps around to the first ranks
      add(triplets, members[i], members[(i + 1) % count], members[(i + 2) % count]);
    }
  }
}

// For the ranks of a cluster of one or two.
void add_with_others(std::vector<Triplet>& triplets, const PairClasses& classes, int cluster) {
  std::vector<Rank> others;
  for (int other = 0; other < classes.clusters(); ++other) {
    if (other == cluster) continue;
    others.insert(others.end(), classes.members(other).begin(), classes.members(other).end());
  }
  const std::vector<Rank>& members = classes.members(cluster);
  const std::size_t wanted = members.size() == 2 ? 1 : 2;  // number of ranks from other clusters
  if (others.size() < wanted) return;
  const std::size_t choices = others.size() - wanted + 1;
  const std::size_t count = std::min(with_others, choices);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * choices / count;
    add(triplets, members.front(), wanted == 1 ? members.back() : others[first + 1], others[first]);
  }
}

}  // namespace

std::size_t LmoDesign::pair(Rank a, Rank b) const {
  const auto found = std::lower_bound(pairs.begin(), pairs.end(), std::pair(std::min(a, b), std::max(a, b)));
  return static_cast<std::size_t>(found - pairs.begin());
}

LmoDesign lmo_design(const PairClasses& classes, int ranks) {
  LmoDesign design;
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    const std::vector<Rank>& members = classes.members(cluster);
    if (members.size() < 3) {
      add_with_others(design.triplets, classes, cluster);
    } else if (members.size() <= most_for_all) {
      add_all(design.triplets, members);
    } else {
      add_sample(design.triplets, members);
    }
  }
  std::sort(design.triplets.begin(), design.triplets.end());
  design.triplets.erase(std::unique(design.triplets.begin(), design.triplets.end()), design.triplets.end());

  design.by_rank.resize(static_cast<std::size_t>(ranks));
  const auto add_pair = [&](Rank a, Rank b) { design.pairs.emplace_back(std::min(a, b), std::max(a, b)); };
  for (std::size_t index = 0; index < design.triplets.size(); ++index) {
    const Triplet& triplet = design.triplets[index];
    for (int place = 0; place < 3; ++place) {
      const Rank rank = triplet[static_cast<std::size_t>(place)];
      const auto same = std::count_if(triplet.begin(), triplet.end(), [&](Rank other) {
        return classes.cluster_of(other) == classes.cluster_of(rank);
      });
      // A root needs as many ranks of its own cluster as possible: a long link to both partners would look like a
      // processing delay.
      const std::size_t mates = classes.members(classes.cluster_of(rank)).size();
      if (static_cast<std::size_t>(same) < std::min<std::size_t>(mates, 3)) continue;
      design.by_rank[static_cast<std::size_t>(rank)].push_back(design.roots.size());
      design.roots.push_back({static_cast<int>(index), place});
    }
    add_pair(triplet[0], triplet[1]);
    add_pair(triplet[0], triplet[2]);
    add_pair(triplet[1], triplet[2]);
  }
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    const std::vector<Rank>& members = classes.members(cluster);
    for (std::size_t i = 0; i < members.size() && members.size() <= most_for_all_pairs; ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) add_pair(members[i], members[j]);
    }
  }
  for (int index = 0; index < classes.size(); ++index) {
    for (const auto& [a, b] : classes.sample(index, pairs_of_class)) add_pair(a, b);
  }
  std::sort(design.pairs.begin(), design.pairs.end());
  design.pairs.erase(std::unique(design.pairs.begin(), design.pairs.end()), design.pairs.end());
  return design;
}

}  // namespace tombolo
