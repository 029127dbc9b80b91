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

struct Placed {
  std::vector<Part> parts;
  std::vector<Rank> owners;
};

/// Adds a part, in bands of rows for some ranks.
void add_bands(const Part& part, std::span<const Rank> ranks, Placed& to) {
  const auto bands = static_cast<std::int64_t>(ranks.size());
  std::int64_t first = part.first_row;
  for (std::int64_t band = 0; band < bands; ++band) {
    const std::int64_t rows = part.rows / bands + (band < part.rows % bands ? 1 : 0);
    if (rows == 0) continue;
    to.parts.push_back({first, rows, part.first_column, part.columns});
    to.owners.push_back(ranks[index(band)]);
    first += rows;
  }
}

}  // namespace

Distribution copies_by_group(const Distribution& from, const Distribution& to, std::span<const int> groups) {
  const auto ranks = static_cast<std::size_t>(from.ranks());
  if ((!from.exact() && from.groups().empty()) || from.shape() != to.shape() || groups.size() != ranks ||
      to.ranks() != from.ranks()) {
    throw Error(
        fmt::format("copies for {} ranks in groups of {}, of a matrix on {}", to.ranks(), groups.size(), ranks),
        "give distributions of one matrix on the same ranks, the first with every element once or once in a group");
  }
  std::map<int, std::vector<Rank>> owners;    // of each group, ranks with elements
  std::map<int, std::vector<Rank>> readers;   // of each group, ranks that need elements
  std::map<int, std::vector<Part>> needed;    // by each group
  std::vector<std::int64_t> place(ranks, 0);  // of a rank among the owners of its group
  for (Rank rank = 0; rank < from.ranks(); ++rank) {
    const int group = groups[index(rank)];
    if (from.elements(rank) > 0) {
      place[index(rank)] = std::ssize(owners[group]);
      owners[group].push_back(rank);
    }
    if (to.elements(rank) == 0) continue;
    readers[group].push_back(rank);
    for (const Part& part : to.parts(rank)) {
      if (part.elements() > 0) needed[group].push_back(part);
    }
  }
  std::size_t all_owners = 0;
  for (const auto& [group, of_group] : owners) all_owners += of_group.size();
  const bool alone = all_owners == 1 && from.groups().empty();
  Placed copies;
  for (const auto& [group, parts] : needed) {
    const std::vector<Rank>& here = readers[group];
    for (const Part& wanted : united(parts)) {
      for (const int block : from.blocks_in(wanted)) {
        const Rank owner = from.owner(block, 0);
        if (!from.may_read(here.front(), owner)) continue;
        const Part piece = overlap(from.block(block), wanted);
        if (!alone && groups[index(owner)] == group) {
          copies.parts.push_back(piece);
          copies.owners.push_back(owner);
          continue;
        }
        const auto there = static_cast<std::int64_t>(owners[groups[index(owner)]].size());
        const std::int64_t first = place[index(owner)] * std::ssize(here) / there;
        const std::int64_t end = std::max(first + 1, (place[index(owner)] + 1) * std::ssize(here) / there);
        add_bands(piece, std::span(here).subspan(index(first), index(end - first)), copies);
      }
    }
  }
  return Distribution::rectangles(from.shape(), copies.parts, copies.owners, from.ranks(),
                                  {groups.begin(), groups.end()});
}

}  // namespace tombolo
