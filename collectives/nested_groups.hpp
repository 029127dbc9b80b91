#pragma once

#include <vector>

namespace tombolo {

/// Consecutive places. Where places are a ring, it may run over the last one.
struct Group {
  int first = 0;
  int size = 0;
  int end() const { return first + size; }
  bool operator==(const Group&) const = default;
};

/// The groups into which the group around a place splits.
struct GroupLevel {
  std::vector<Group> groups;
  int mine = 0;  ///< the one the place is in
  const Group& own() const { return groups[static_cast<std::size_t>(mine)]; }
  int count() const { return static_cast<int>(groups.size()); }
  /// The group so many further on, or back for less than 0, in a cycle.
  const Group& further(int steps) const { return groups[static_cast<std::size_t>(index(steps))]; }
  int index(int steps) const { return (mine + steps + count()) % count(); }
};

/// All places split into at most `radix` groups that differ by one place at most, the larger ones first, and each of
/// them again, down to single places: ceil(log_radix(places)) levels, the widest first, as they are around one place.
/// Where the places are a power of the radix, groups and places are the digits of a number; here any number will do,
/// and no place has to be folded into another before an exchange and served again after it.
std::vector<GroupLevel> nested_groups(int places, int radix, int place);

/// Whom the place at that index of its own group hears at a level from another group: the place at the same index, or
/// the first where there is none.
int partner(const Group& other, int index);
/// The places of the other group whose partner is the one at that index of its `own`: one or a few, or none.
std::vector<int> partnered(const Group& own, int index, const Group& other);

}  // namespace tombolo
