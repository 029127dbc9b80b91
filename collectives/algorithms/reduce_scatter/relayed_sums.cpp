#include <algorithm>
#include <limits>
#include <utility>

#include <tombolo/collectives/algorithms/reduce_scatter/relayed_sums.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Division of a range into parts that differ by at most one element, the longer ones first.
struct EvenSplit {
  std::int64_t total;
  std::int64_t parts;

  std::int64_t each() const { return total / parts; }
  std::int64_t begin(std::int64_t part) const { return each() * part + std::min(part, total % parts); }
  // The part that contains `element`, which must exist.
  std::int64_t part_with(std::int64_t element) const {
    const std::int64_t longer = total % parts * (each() + 1);
    return element < longer ? element / (each() + 1) : total % parts + (element - longer) / each();
  }
};

// The index of a leader's share of another group's blocks. Shifted by group, which balances vectors of few elements.
int share_of(int relay, int shift, const Group& group) {
  return (relay - shift % group.size + group.size) % group.size;
}

int relay_of(std::int64_t share, int shift, const Group& group) {
  return static_cast<int>((share + shift) % group.size);
}

int subgroups(const NestedGroups& groups, int level, const Group& group) {
  return level + 1 == groups.levels() ? 1 : groups.index(level + 1, group.end() - 1) + 1;
}

}  // namespace

NestedGroups groups_in_order(const NestedGroups& groups) {
  std::vector<Partition> partitions;
  for (int level = 1; level < groups.levels(); ++level) {
    Partition partition;
    for (Rank rank = 0; rank < groups.size(); ++rank) {
      const bool joins =
          rank > 0 && groups.group(level, groups.place(rank)) == groups.group(level, groups.place(rank - 1));
      if (!joins) partition.emplace_back();
      partition.back().push_back(rank);
    }
    partitions.push_back(std::move(partition));
  }
  return {"in order", std::move(partitions)};
}

RelayedSums::RelayedSums(const NestedGroups& groups, const Blocks& blocks, std::int64_t each)
    : groups_(groups), each_(each), before_{0} {
  for (int place = 0; place < groups.size(); ++place) {
    before_.push_back(before_.back() + blocks.count(groups.rank(place)));
  }
}

std::int64_t RelayedSums::elements(const Group& group) const {
  return before_[static_cast<std::size_t>(group.end())] - before_[static_cast<std::size_t>(group.first)];
}

// Elements of a bundle; an upper bound for any leader.
std::int64_t RelayedSums::bundle(int level, const Group& group) const {
  const Group& around = groups_.group(level - 1, group.first);
  const int others = subgroups(groups_, level - 1, around) - 1;
  return (elements(around) - elements(group)) / group.size + others;
}

std::vector<Group> RelayedSums::others(int level, const Group& group) const {
  const Group& around = groups_.group(level - 1, group.first);
  std::vector<Group> all;
  const auto after = [&](const Group& one) { return one.end() == around.end() ? around.first : one.end(); };
  for (int next = after(group); next != group.first; next = after(all.back())) {
    all.push_back(groups_.group(level, next));
  }
  return all;
}

std::int64_t RelayedSums::turns(int level, const Group& group) const {
  if (groups_.group(level - 1, group.first) == group) return 0;
  return each_ == 0 ? 1 : (bundle(level, group) - 1) / each_ + 1;
}

std::vector<RelayedSums::Part> RelayedSums::slice(int level, const Group& group, int relay, std::int64_t turn) const {
  const std::int64_t turns = this->turns(level, group);
  std::vector<Part> parts;
  for (const Group& owners : others(level, group)) {
    const EvenSplit shares{elements(owners), group.size};
    const int share = share_of(relay, groups_.index(level, owners.first), group);
    const std::int64_t first = before_[static_cast<std::size_t>(owners.first)] + shares.begin(share);
    const EvenSplit slices{shares.begin(share + 1) - shares.begin(share), turns};
    std::int64_t at = first + slices.begin(turn);
    const std::int64_t end = first + slices.begin(turn + 1);
    auto block = std::upper_bound(before_.begin() + owners.first, before_.begin() + owners.end(), at);
    for (; at < end; ++block) {
      const std::int64_t until = std::min(end, *block);
      if (until > at) parts.push_back({static_cast<int>(block - before_.begin()) - 1, at - *(block - 1), until - at});
      at = until;
    }
  }
  return parts;
}

RelayedSums::Role RelayedSums::role(int level, const Group& group, int relay, int place) const {
  Role role;
  int entry = group.first + relay;  // the leader of the current group
  for (int inner = level + 1; inner < groups_.levels(); ++inner) {
    const Group& own = groups_.group(inner, place);
    const auto relay_in = [&](const Group& part) {
      return part.first + static_cast<int>(std::int64_t{relay} * part.size / group.size);
    };
    if (!(own == groups_.group(inner, entry))) {
      if (relay_in(own) == place) role.to = entry;
      entry = relay_in(own);
    } else if (entry == place) {
      for (const Group& other : others(inner, own)) role.from.push_back(relay_in(other));
    }
  }
  if (entry != place) {
    role.to = entry;
    return role;
  }
  const Group& nearest = groups_.group(groups_.levels() - 1, place);
  for (int step = 1; step < nearest.size; ++step) {
    role.from.push_back(nearest.first + (place - nearest.first + nearest.size - step) % nearest.size);
  }
  return role;
}

std::vector<RelayedSums::Part> RelayedSums::arriving(int level, const Group& from, int place) const {
  const Group& own = groups_.group(level, place);
  const EvenSplit shares{elements(own), from.size};
  const int shift = groups_.index(level, own.first);
  const std::int64_t turns = this->turns(level, from);
  const std::int64_t first = before_[static_cast<std::size_t>(place)] - before_[static_cast<std::size_t>(own.first)];
  const std::int64_t end = first + count(place);
  std::vector<Part> parts;
  for (std::int64_t at = first; at < end;) {
    const std::int64_t share = shares.part_with(at);
    const std::int64_t begin = shares.begin(share);
    const EvenSplit slices{shares.begin(share + 1) - begin, turns};
    const std::int64_t until = std::min(end, begin + slices.begin(slices.part_with(at - begin) + 1));
    parts.push_back({from.first + relay_of(share, shift, from), at - first, until - at});
    at = until;
  }
  return parts;
}

std::int64_t RelayedSums::most_relayed(int place) const {
  Wide all = 0;
  std::int64_t most_sums = groups_.group(groups_.levels() - 1, place).size - 1;  // for the leaders of a level
  std::vector<std::int64_t> sums(static_cast<std::size_t>(groups_.levels()), most_sums);
  for (int level = groups_.levels() - 2; level >= 0; --level) {
    most_sums += subgroups(groups_, level, groups_.group(level, place)) - 1;
    sums[static_cast<std::size_t>(level)] = most_sums;
  }
  for (int level = 1; level < groups_.levels(); ++level) {
    const Group& group = groups_.group(level, place);
    if (turns(level, group) == 0) continue;
    Wide bundles = 0;
    for (int inner = level; inner < groups_.levels(); ++inner) {
      const int size = groups_.group(inner, place).size;
      const std::int64_t most = sums[static_cast<std::size_t>(inner)];
      bundles += Wide{(group.size + size - 1) / size} * (most == 0 ? 0 : most + 1);
    }
    all += bundles * bundle(level, group);
  }
  return static_cast<std::int64_t>(std::min<Wide>(all, std::numeric_limits<std::int64_t>::max()));
}

std::int64_t RelayedSums::sums(int place) const {
  std::int64_t sums = groups_.group(groups_.levels() - 1, place).size - 1;
  for (int level = 1; level < groups_.levels(); ++level) {
    sums += subgroups(groups_, level - 1, groups_.group(level - 1, place)) - 1;
  }
  return sums;
}

}  // namespace tombolo
