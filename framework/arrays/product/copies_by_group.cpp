#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/arrays/product/copies_by_group.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;  // [begin, end), ascending, apart

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Returns the union of intervals.
Intervals merged(Intervals intervals) {
  std::sort(intervals.begin(), intervals.end());
  Intervals all;
  for (const auto& [begin, end] : intervals) {
    if (!all.empty() && begin <= all.back().second) {
      all.back().second = std::max(all.back().second, end);
    } else {
      all.emplace_back(begin, end);
    }
  }
  return all;
}

/// Returns rectangles that do not overlap and cover what the parts cover.
std::vector<Part> united(const std::vector<Part>& parts) {
  std::map<std::int64_t, std::vector<const Part*>> begins;  // by first row; the last border has none
  for (const Part& part : parts) {
    begins[part.first_row].push_back(&part);
    begins[part.first_row + part.rows];
  }
  std::vector<Part> all;
  std::vector<const Part*> now;
  Intervals before;
  std::size_t strip = 0;  // the rectangles of `before` begin here
  for (auto border = begins.begin(); border != begins.end(); ++border) {
    const auto next = std::next(border);
    if (next == begins.end()) break;
    const std::int64_t top = border->first;
    now.insert(now.end(), border->second.begin(), border->second.end());
    std::erase_if(now, [&](const Part* part) { return part->first_row + part->rows <= top; });
    Intervals columns;
    for (const Part* part : now) columns.emplace_back(part->first_column, part->first_column + part->columns);
    columns = merged(std::move(columns));
    if (columns == before) {
      for (std::size_t i = strip; i < all.size(); ++i) all[i].rows += next->first - top;
      continue;
    }
    strip = all.size();
    for (const auto& [begin, end] : columns) all.push_back({top, next->first - top, begin, end - begin});
    before = std::move(columns);
  }
  return all;
}

/// Which ranks of each group own elements, which need some, and of what.
struct Groups {
  Groups(const Distribution& from, const Distribution& to, std::span<const int> of_ranks);

  std::map<int, std::vector<Rank>> owners;
  std::map<int, std::vector<Rank>> readers;
  std::map<int, std::vector<Part>> needed;
  std::vector<std::int64_t> place;  // of a rank among the owners of its group
  std::int64_t all_owners = 0;
};

Groups::Groups(const Distribution& from, const Distribution& to, std::span<const int> of_ranks)
    : place(of_ranks.size(), 0) {
  for (Rank rank = 0; rank < from.ranks(); ++rank) {
    const int group = of_ranks[index(rank)];
    if (from.elements(rank) > 0) {
      place[index(rank)] = std::ssize(owners[group]);
      owners[group].push_back(rank);
      ++all_owners;
    }
    if (to.elements(rank) == 0) continue;
    readers[group].push_back(rank);
    for (const Part& part : to.parts(rank)) {
      if (part.elements() > 0) needed[group].push_back(part);
    }
  }
}

struct Placed {
  std::vector<Part> parts;
  std::vector<Rank> owners;

  /// Adds a part, in bands of rows for some ranks.
  void add(const Part& part, std::span<const Rank> ranks) {
    const auto bands = static_cast<std::int64_t>(ranks.size());
    std::int64_t first = part.first_row;
    for (std::int64_t band = 0; band < bands; ++band) {
      const std::int64_t rows = part.rows / bands + (band < part.rows % bands ? 1 : 0);
      if (rows == 0) continue;
      parts.push_back({first, rows, part.first_column, part.columns});
      owners.push_back(ranks[index(band)]);
      first += rows;
    }
  }
};

}  // namespace

Distribution copies_by_group(const Distribution& from, const Distribution& to, std::span<const int> groups) {
  const auto ranks = static_cast<std::size_t>(from.ranks());
  if ((!from.exact() && from.groups().empty()) || from.shape() != to.shape() || groups.size() != ranks ||
      to.ranks() != from.ranks()) {
    throw Error(
        fmt::format("copies for {} ranks in groups of {}, of a matrix on {}", to.ranks(), groups.size(), ranks),
        "give distributions of one matrix on the same ranks, the first with every element once or once in a group");
  }
  const Groups of(from, to, groups);
  const bool alone = of.all_owners == 1 && from.groups().empty();
  Placed copies;
  for (const auto& [group, parts] : of.needed) {
    const std::span<const Rank> here = of.readers.at(group);
    for (const Part& wanted : united(parts)) {
      for (const int block : from.blocks_in(wanted)) {
        const Rank owner = from.owner(block, 0);
        if (!from.may_read(here.front(), owner)) continue;
        const Part piece = overlap(from.block(block), wanted);
        const int its_group = groups[index(owner)];
        if (!alone && its_group == group) {
          copies.add(piece, {&owner, 1});
          continue;
        }
        // The k-th owner of its group sends to the k-th part of the readers.
        const std::int64_t place = of.place[index(owner)];
        const std::int64_t there = std::ssize(of.owners.at(its_group));
        const std::int64_t first = place * std::ssize(here) / there;
        const std::int64_t end = std::max(first + 1, (place + 1) * std::ssize(here) / there);
        copies.add(piece, here.subspan(index(first), index(end - first)));
      }
    }
  }
  return Distribution::rectangles(from.shape(), copies.parts, copies.owners, from.ranks(),
                                  {groups.begin(), groups.end()});
}

}  // namespace tombolo
