#pragma once

#include <vector>

namespace tombolo {

/// Consecutive virtual ranks (places). On a ring the range may wrap around.
struct Group {
  int first = 0;
  int size = 0;
  int end() const { return first + size; }
  bool operator==(const Group&) const = default;
};

/// The groups that one enclosing group splits into, seen from one virtual rank.
struct GroupLevel {
  std::vector<Group> groups;
  int mine = 0;  ///< index of the virtual rank's own group
  const Group& own() const { return groups[static_cast<std::size_t>(mine)]; }
  int count() const { return static_cast<int>(groups.size()); }
  /// The group `steps` further on, cyclically; backwards if negative.
  const Group& further(int steps) const { return groups[static_cast<std::size_t>(index(steps))]; }
  int index(int steps) const { return (mine + steps + count()) % count(); }
};

/// Splits all virtual ranks recursively into at most `radix` groups per level whose sizes differ by at most one, the
/// larger ones first, down to single virtual ranks: ceil(log_radix(places)) levels, the widest first, seen from virtual
/// rank `place`. For a power of the radix, groups are the digits of a number. Other numbers need no folding of excess
/// ranks before the recursive multiplying and no extra step after it.
std::vector<GroupLevel> radix_groups(int places, int radix, int place);

/// The virtual rank of `other` that sends to the member with index `index` of its own group: the same index, or the
/// first member if `other` is too small.
int partner(const Group& other, int index);
/// The virtual ranks of `other` whose partner is the member with index `index` of `own`: none, one or a few.
std::vector<int> partnered(const Group& own, int index, const Group& other);

}  // namespace tombolo
