#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include <tombolo/platform.hpp>
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

void group_children(HostGroup& group, const std::vector<DividingLine>& lines, const std::vector<int>& all) {
  for (HostGroup& child : group.groups) group_children(child, lines, all);
  if (group.groups.size() < 3) return;
  std::vector<std::vector<int>> sides;
  for (const DividingLine& line : lines) {
    std::vector<int> beyond;
    std::ranges::set_difference(all, line.side, std::back_inserter(beyond));
    add(sides, line.side, group, all.size());
    add(sides, std::move(beyond), group, all.size());
  }
  std::ranges::stable_sort(sides, {}, &std::vector<int>::size);
  for (const std::vector<int>& side : sides) join(group, side);
}

}  // namespace

void group_at_lines(HostGroup& groups, const std::vector<DividingLine>& lines) {
  std::vector<DividingLine> thinnest_first = lines;
  std::ranges::stable_sort(thinnest_first, {}, &DividingLine::rate);
  const std::vector<int> all = groups.hosts;
  group_children(groups, thinnest_first, all);
}

std::optional<DividingLine> likely_line(const std::vector<std::vector<int>>& clusters,
                                        const std::vector<BytesPerSecond>& rates) {
  // Links on both sides of a line get at least so many times as much.
  constexpr double clearly = 1.5;
  const auto count = static_cast<int>(clusters.size());
  if (count < 4 || std::ranges::find(rates, 0) != rates.end()) return {};
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) pairs.emplace_back(a, b);
  }
  const auto rate_of = [&](const std::pair<int, int>& pair) {
    return rates[link_index(pair.first, pair.second, count)];
  };
  std::ranges::stable_sort(pairs, std::greater<>(), rate_of);
  // The best links join clusters until two parts are left, which the next one is between.
  std::vector<int> parts(clusters.size());
  std::iota(parts.begin(), parts.end(), 0);
  const auto part = [&](int cluster) { return parts[static_cast<std::size_t>(cluster)]; };
  BytesPerSecond inside = 0;
  BytesPerSecond across = 0;
  for (int left = count; const auto& pair : pairs) {
    const auto [one, other] = std::pair(part(pair.first), part(pair.second));
    if (one == other) continue;
    if (left == 2) {
      across = rate_of(pair);
      break;
    }
    std::ranges::replace(parts, other, one);
    inside = rate_of(pair);
    --left;
  }
  const auto here = std::ranges::count(parts, parts.front());
  if (here < 2 || count - here < 2) return {};
  if (static_cast<double>(inside) < clearly * static_cast<double>(across)) return {};
  DividingLine line{.side = {}, .rate = across};
  for (int c = 0; c < count; ++c) {
    const auto& hosts = clusters[static_cast<std::size_t>(c)];
    if (part(c) == parts.front()) line.side.insert(line.side.end(), hosts.begin(), hosts.end());
  }
  std::ranges::sort(line.side);
  return line;
}

std::vector<std::pair<int, int>> outrun_pairs(const std::vector<BytesPerSecond>& rates, int clusters, double bound) {
  std::vector<std::pair<double, std::pair<int, int>>> found;
  for (int a = 0; a < clusters; ++a) {
    for (int b = a + 1; b < clusters; ++b) {
      const BytesPerSecond direct = rates[link_index(a, b, clusters)];
      if (direct == 0) continue;
      BytesPerSecond over_third = 0;
      for (int c = 0; c < clusters; ++c) {
        if (c == a || c == b) continue;
        const BytesPerSecond there = rates[link_index(a, c, clusters)];
        const BytesPerSecond onward = rates[link_index(b, c, clusters)];
        over_third = std::max(over_third, std::min(there, onward));
      }
      const double part = static_cast<double>(direct) / static_cast<double>(std::max<BytesPerSecond>(over_third, 1));
      if (part * (1 + bound) < 1) found.emplace_back(part, std::pair(a, b));
    }
  }
  std::ranges::sort(found);
  std::vector<std::pair<int, int>> pairs;
  for (const auto& [part, pair] : found) pairs.push_back(pair);
  return pairs;
}

namespace {

// Adds the lines that pairs of one rate may share: a line for each set of pairs that hang together, if its clusters are
// on two sides.
void add_lines(const std::vector<std::pair<int, int>>& pairs, BytesPerSecond rate,
               const std::vector<BytesPerSecond>& rates, int clusters, std::vector<SharedLine>& lines) {
  std::vector<std::vector<int>> near(static_cast<std::size_t>(clusters));
  for (const auto& [a, b] : pairs) {
    near[static_cast<std::size_t>(a)].push_back(b);
    near[static_cast<std::size_t>(b)].push_back(a);
  }
  std::vector<int> side(near.size(), 0);  // -1 and 1; 0: not seen
  for (int first = 0; first < clusters; ++first) {
    if (side[static_cast<std::size_t>(first)] != 0 || near[static_cast<std::size_t>(first)].empty()) continue;
    side[static_cast<std::size_t>(first)] = 1;
    std::vector<int> seen = {first};
    bool two_sides = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const int own = side[static_cast<std::size_t>(seen[i])];
      for (const int other : near[static_cast<std::size_t>(seen[i])]) {
        int& theirs = side[static_cast<std::size_t>(other)];
        two_sides = two_sides && theirs != own;
        if (theirs != 0) continue;
        theirs = -own;
        seen.push_back(other);
      }
    }
    const auto here = std::ranges::count_if(seen, [&](int c) { return side[static_cast<std::size_t>(c)] == 1; });
    if (!two_sides || here < 2 || std::ssize(seen) - here < 2) continue;
    SharedLine line{.pairs = {}, .rate = {.value = rate}};
    for (const auto& [a, b] : pairs) {
      if (std::ranges::find(seen, a) == seen.end()) continue;
      line.pairs.emplace_back(side[static_cast<std::size_t>(a)] == 1 ? std::pair(a, b) : std::pair(b, a));
    }
    for (const int a : seen) {
      for (const int b : seen) {
        const bool across = side[static_cast<std::size_t>(a)] == 1 && side[static_cast<std::size_t>(b)] == -1;
        if (across && rates[link_index(a, b, clusters)] == 0) line.pairs.emplace_back(a, b);
      }
    }
    std::ranges::sort(line.pairs);
    lines.push_back(std::move(line));
  }
}

}  // namespace

std::vector<SharedLine> likely_lines(const std::vector<BytesPerSecond>& rates, int clusters, double bound) {
  std::vector<std::pair<BytesPerSecond, std::pair<int, int>>> by_rate;
  for (int a = 0; a < clusters; ++a) {
    for (int b = a + 1; b < clusters; ++b) {
      const BytesPerSecond rate = rates[link_index(a, b, clusters)];
      if (rate > 0) by_rate.push_back({rate, {a, b}});
    }
  }
  std::ranges::sort(by_rate);
  std::vector<SharedLine> lines;
  for (std::size_t begin = 0; begin < by_rate.size();) {
    std::vector<std::pair<int, int>> pairs;
    const double most = (1 + bound) * static_cast<double>(by_rate[begin].first);
    std::size_t end = begin;
    for (; end < by_rate.size() && static_cast<double>(by_rate[end].first) <= most; ++end)
      pairs.push_back(by_rate[end].second);
    add_lines(pairs, by_rate[end - 1].first, rates, clusters, lines);
    begin = end;
  }
  return lines;
}

}  // namespace tombolo
