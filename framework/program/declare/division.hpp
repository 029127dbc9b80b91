#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/counts.hpp>
#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/shares.hpp>

namespace tombolo {

/// Consecutive items of one rank in one panel.
struct Slice {
  std::int64_t first = 0;  ///< index among all items
  std::int64_t count = 0;
  std::int64_t local = 0;  ///< position among this rank's items in memory

  bool operator==(const Slice&) const = default;
};

/// Division of items into consecutive panels, and of each panel into one slice for each rank, in rank order. A panel
/// travels as one scatterv or gatherv, and each rank's items of all panels are contiguous in its memory.
///
///     Division({{2, 1}, {1, 1}})      items 0 1 2 | 3 4      of ranks 0 0 1 | 0 1
class Division {
 public:
  /// shares[panel][rank]: at least one panel, with equal numbers of ranks.
  explicit Division(std::vector<std::vector<std::int64_t>> shares);

  int panels() const { return static_cast<int>(panels_.size()); }
  int ranks() const { return panels_.front().size(); }
  std::int64_t items() const { return first_.back(); }
  const Blocks& panel(int number) const { return panels_[static_cast<std::size_t>(number)]; }
  std::int64_t first_of_panel(int number) const { return first_[static_cast<std::size_t>(number)]; }
  Slice slice(int panel, Rank rank) const;
  /// Returns the items of a rank in all panels.
  std::int64_t items_of(Rank rank) const;
  std::vector<std::int64_t> shares() const;

  bool operator==(const Division& other) const { return panels_ == other.panels_; }

 private:
  std::vector<Blocks> panels_;
  std::vector<std::int64_t> first_;
};

/// Returns shares in proportion to speeds, by work if items have weights, in `panels` panels of equal numbers of items,
/// or one panel for each item if items are fewer. Integers, the same on all ranks. Throws Error if no speed is
/// positive.
Division divide(const DeclaredDomain& slices, std::span<const std::int64_t> speeds, int panels = 1);

/// Returns shares by speeds that depend on the problem size of a rank, to which each item adds `size`. `most` limits
/// the items of each rank; empty: no limits. If items have weights, the speeds at large sizes are used. Throws Error if
/// the limits together are below the number of items.
Division divide(const DeclaredDomain& slices, std::span<const SpeedFunction> speeds, std::int64_t size, int panels,
                std::span<const std::int64_t> most);

/// Returns the work of `count` items from `first` on: the number of items, or the sum of their weights.
std::int64_t weight(const DeclaredDomain& slices, std::int64_t first, std::int64_t count);

}  // namespace tombolo
