#include <algorithm>

#include <tombolo/collectives/topology/radix_groups.hpp>

namespace tombolo {

namespace {

GroupLevel split(const Group& whole, int radix, int place) {
  GroupLevel level;
  const int parts = std::min(radix, whole.size);
  int first = whole.first;
  for (int part = 0; part < parts; ++part) {
    const Group group{first, whole.size / parts + (part < whole.size % parts ? 1 : 0)};
    if (place >= group.first && place < group.end()) level.mine = part;
    level.groups.push_back(group);
    first = group.end();
  }
  return level;
}

}  // namespace

std::vector<GroupLevel> radix_groups(int places, int radix, int place) {
  std::vector<GroupLevel> levels;
  for (Group around{0, places}; around.size > 1; around = levels.back().own()) {
    levels.push_back(split(around, radix, place));
  }
  return levels;
}

int partner(const Group& other, int index) {
  return index < other.size ? other.first + index : other.first;
}

std::vector<int> partnered(const Group& own, int index, const Group& other) {
  std::vector<int> places;
  if (index < other.size) places.push_back(other.first + index);
  for (int unpaired = own.size; index == 0 && unpaired < other.size; ++unpaired) {
    places.push_back(other.first + unpaired);
  }
  return places;
}

}  // namespace tombolo
