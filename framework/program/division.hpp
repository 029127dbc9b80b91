#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/framework/program/declaration.hpp>
#include <tombolo/framework/speed_function.hpp>

namespace tombolo {

/// Consecutive items of one rank.
struct Slice {
  std::int64_t first = 0;  ///< of all items
  std::int64_t count = 0;
  std::int64_t local = 0;  ///< items of this rank before them, in its memory

  bool operator==(const Slice&) const = default;
};

/// How items are shared out: in panels one behind the other, of which every rank gets consecutive items, in the order
/// of the ranks. So a panel travels as one scatterv or gatherv, and each rank's items of all panels are one piece of
/// its memory.
///
///     Division({{2, 1}, {1, 1}})      items 0 1 2 | 3 4      of ranks 0 0 1 | 0 1
class Division {
 public:
  /// shares[panel][rank]; a panel at least, each of as many ranks.
  explicit Division(std::vector<std::vector<std::int64_t>> shares);

  int panels() const { return static_cast<int>(panels_.size()); }
  int ranks() const { return panels_.front().size(); }
  std::int64_t items() const { return first_.back(); }
  const Blocks& panel(int number) const { return panels_[static_cast<std::size_t>(number)]; }
  std::int64_t first_of_panel(int number) const { return first_[static_cast<std::size_t>(number)]; }
  Slice slice(int panel, Rank rank) const;
  /// Of all panels.
  std::int64_t items_of(Rank rank) const;
  std::vector<std::int64_t> shares() const;

  bool operator==(const Division& other) const { return panels_ == other.panels_; }

 private:
  std::vector<Blocks> panels_;
  std::vector<std::int64_t> first_;
};

/// Shares in proportion to speeds, of work where items have weights, in so many panels of as many items each; at most
/// as many panels as there are items. Integers, the same on all ranks. Throws Error where no speed is positive.
Division divide(const DeclaredSlices& slices, std::span<const std::int64_t> speeds, int panels = 1);

/// The same by speeds that depend on the size of a rank's problem, to which each item adds so much, and with limits of
/// how many items a rank can have; none where that is empty. Speeds at large sizes where items have weights. Throws
/// Error where the limits together do not hold all items.
Division divide(const DeclaredSlices& slices, std::span<const SpeedFunction> speeds, std::int64_t size, int panels,
                std::span<const std::int64_t> most);

/// The work of so many items from `first` on: their number, or the sum of their weights.
std::int64_t weight(const DeclaredSlices& slices, std::int64_t first, std::int64_t count);

}  // namespace tombolo
