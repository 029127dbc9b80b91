#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <tombolo/framework/program/declare/declaration.hpp>

namespace tombolo {

/// Copies of an array that are up to date; none after a move has spent the array.
struct Copies {
  bool items = false;       ///< each rank's own items, or its part of an explicit distribution
  bool halo = false;        ///< the halo rows
  bool root = false;        ///< the whole at the root
  bool everywhere = false;  ///< the whole on every rank
  bool combined = false;    ///< parts of a partial value on all ranks, before an allreduce
  bool operator==(const Copies&) const = default;
};

/// Copies of every array that are up to date between the tasks of a program. The analysis does not depend on the number
/// of ranks: a program that reads a stale copy is wrong on one rank too, although all copies share their memory there.
class NewestValues {
 public:
  /// Begins with arrays as filled by the user before the run: at the root if there is one, else everywhere, else each
  /// rank's items.
  explicit NewestValues(const Declaration& program);
  static Copies filled(const DeclaredArray& array);

  const Copies& of(int array) const { return copies_[static_cast<std::size_t>(array)]; }
  const std::vector<Copies>& all() const { return copies_; }
  void set(int array, const Copies& copies) { copies_[static_cast<std::size_t>(array)] = copies; }
  void swap(int one, int other);

  // Reads of a task. Each function throws Error, with the task, the array and the remedy, if the copy is stale.
  void need_items(const DeclaredTask& task, int array) const;
  void need_halo(const DeclaredTask& task, int array) const;
  void need_root(const DeclaredTask& task, int array) const;
  void need_everywhere(const DeclaredTask& task, int array) const;
  void need_combined(const DeclaredTask& task, int array) const;
  /// Requires the source of a move(): the items if the array has items, else the whole.
  void need_moved(const DeclaredTask& task, int array) const;

  // Writes of a task.
  void wrote_items(int array) { set(array, {.items = true}); }
  void wrote_everywhere(int array);
  void wrote_moved(int array);
  /// Throws Error if the parts of several tasks would have to be kept in order.
  void combined(const DeclaredTask& task, int array);

  /// Follows one pass over the tasks [first, end). Throws Error if a task reads stale values.
  void pass(int first, int end);
  /// Follows `passes` passes over the tasks [first, end).
  void passes(int first, int end, std::int64_t passes);

 private:
  const DeclaredArray& array(int number) const { return program_->arrays[static_cast<std::size_t>(number)]; }
  [[noreturn]] void refuse(const std::string& what, int array) const;

  const Declaration* program_;
  std::vector<Copies> copies_;
};

/// Throws Error if a program that begins with `start` reads stale values, for any number of passes of its loops.
void check_values(const Declaration& program, const NewestValues& start);

/// Returns the newest values after a run that begins with `before` and makes `passes` passes of each loop, or after its
/// first `sections` sections.
NewestValues after_run(const Declaration& program, const NewestValues& before, std::span<const std::int64_t> passes,
                       std::size_t sections = std::numeric_limits<std::size_t>::max());

}  // namespace tombolo
