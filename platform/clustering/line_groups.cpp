#include <algorithm>
#include <iterator>
#include <utility>

#include <tombolo/platform/clustering/line_groups.hpp>

namespace tombolo {

namespace {

bool contains(const std::vector<int>& hosts, const std::vector<int>& others) {
  return std::ranges::includes(hosts, others);
}

bool are_apart(const std::vector<int>& hosts, const std::vector<int>& others) {
  return std::ranges::none_of(others, [&](int host) { return std::ranges::binary_search(hosts, host); });
}

// Adds a side to the others if its hosts may be a group among the children of `group`, of all of `hosts`.
void add(std::vector<std::vector<int>>& sides, std::vector<int> side, const HostGroup& group, std::size_t hosts) {
  std::size_t inside = 0;
  for (const HostGroup& child : group.groups) {
    if (contains(side, child.hosts)) {
      ++inside;
    } else if (!are_apart(side, child.hosts)) {
      return;
    }
  }
  // All but one of the outermost group are behind the uplink of that one.
  const std::size_t most = group.groups.size() - (group.hosts.size() == hosts ? 2 : 1);
  if (inside < 2 || inside > most || !contains(group.hosts, side)) return;
  const bool fits = std::ranges::all_of(sides, [&](const std::vector<int>& other) {
    return are_apart(other, side) || (other != side && (contains(other, side) || contains(side, other)));
  });
  if (fits) sides.push_back(std::move(side));
}

// Makes one group of those children that are in it.
void join(HostGroup& group, const std::vector<int>& side) {
  const auto is_inside = [&](const HostGroup& child) { return contains(side, child.hosts); };
  const auto first = std::ranges::find_if(group.groups, is_inside) - group.groups.begin();
  HostGroup joined{.name = {}, .hosts = side, .groups = {}};
  std::ranges::copy_if(group.groups, std::back_inserter(joined.groups), is_inside);
  std::erase_if(group.groups, is_inside);
  group.groups.insert(group.groups.begin() + first, std::move(joined));
}

void group_children(HostGroup& group, const std::vector<Line>& lines, const std::vector<int>& all) {
  for (HostGroup& child : group.groups) group_children(child, lines, all);
  if (group.groups.size() < 3) return;
  std::vector<std::vector<int>> sides;
  for (const Line& line : lines) {
    std::vector<int> beyond;
    std::ranges::set_difference(all, line.side, std::back_inserter(beyond));
    add(sides, line.side, group, all.size());
    add(sides, std::move(beyond), group, all.size());
  }
  std::ranges::stable_sort(sides, {}, &std::vector<int>::size);
  for (const std::vector<int>& side : sides) join(group, side);
}

}  // namespace

void group_at_lines(HostGroup& groups, const std::vector<Line>& lines) {
  std::vector<Line> thinnest_first = lines;
  std::ranges::stable_sort(thinnest_first, {}, &Line::rate);
  const std::vector<int> all = groups.hosts;
  group_children(groups, thinnest_first, all);
}

}  // namespace tombolo
