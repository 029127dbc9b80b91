#include <tombolo/collectives/algorithms/allgatherv/relayed.hpp>

namespace tombolo {

namespace {

constexpr int fraction_bits = 32;

std::uint64_t begin_of(const Group& group) {
  return static_cast<std::uint64_t>(group.first) << fraction_bits;
}

// The position in a group of the leader for a fraction of another group's elements; `shift` is the index of the other
// group.
std::uint64_t position(const Group& group, std::uint64_t fraction, int shift) {
  const auto size = static_cast<std::uint64_t>(group.size);
  const std::uint64_t shifted = fraction * size + (static_cast<std::uint64_t>(shift) << fraction_bits);
  return begin_of(group) + shifted % (size << fraction_bits);
}

int place_at(std::uint64_t position) {
  return static_cast<int>(position >> fraction_bits);
}

}  // namespace

Relayed::Relayed(const NestedGroups& groups, const Blocks& blocks) : groups_(groups), before_{0} {
  for (int place = 0; place < groups.size(); ++place) {
    before_.push_back(before_.back() + blocks.count(groups.rank(place)));
  }
}

Relayed::Fixed Relayed::within(const Group& group, int owner, std::int64_t offset, std::int64_t count) const {
  __extension__ using Wide = unsigned __int128;
  const std::int64_t first = before_[static_cast<std::size_t>(group.first)];
  const std::int64_t all = before_[static_cast<std::size_t>(group.end())] - first;
  // The middle of the part: its ends could be rounded in either direction.
  const std::int64_t middle = 2 * (before_[static_cast<std::size_t>(owner)] - first + offset) + count;
  return static_cast<Fixed>((static_cast<Wide>(middle) << fraction_bits) / static_cast<Wide>(2 * all));
}

Relayed::Way Relayed::way(int owner, std::int64_t offset, std::int64_t count, int place) const {
  Way way;
  int entry = owner;  // the first virtual rank of the current group with the part
  Fixed at = 0;       // its position, once the part has left the owner's group
  for (int level = 1; level < groups_.levels(); ++level) {
    const Group& whole = groups_.group(level - 1, place);
    const Group& own = groups_.group(level, place);
    const Group& has = groups_.group(level, entry);
    const int shift = groups_.index(level, entry);
    const auto fraction = [&] {
      return entry == owner ? within(has, owner, offset, count) : (at - begin_of(has)) / static_cast<Fixed>(has.size);
    };
    if (!(own == has)) {
      at = position(own, fraction(), shift);
      if (place_at(at) == place) way.from = entry;
      entry = place_at(at);
    } else if (entry == place) {
      // From the next group on, so that no group is the first target of all.
      const auto after = [&](const Group& group) { return group.end() == whole.end() ? whole.first : group.end(); };
      for (int next = after(own); next != own.first; next = after(groups_.group(level, next))) {
        way.far.push_back(place_at(position(groups_.group(level, next), fraction(), shift)));
      }
    }
  }
  if (entry != place) {
    way.from = entry;
    return way;
  }
  // From the next virtual rank on, so that no rank is the first target of all.
  const Group& nearest = groups_.group(groups_.levels() - 1, place);
  for (int step = 1; step < nearest.size; ++step) {
    way.near.push_back(nearest.first + (place - nearest.first + step) % nearest.size);
  }
  return way;
}

}  // namespace tombolo
