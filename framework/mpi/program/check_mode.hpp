#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/guarded_memory.hpp>
#include <tombolo/framework/program/declare/newest_values.hpp>

namespace tombolo {

/// Check mode (TOMBOLO_CHECK=1). Bodies run on guarded copies of exactly their declared accesses, with all other arrays
/// out of reach. The program runs twice, with different ranges, another order, and different garbage in unwritten
/// memory. A difference between the results shows a dependence that a body has not declared.
class CheckMode {
 public:
  /// True if TOMBOLO_CHECK is 1. Throws Error unless it is 1, 0 or empty.
  static bool wanted();

  enum class Turn { first, second };
  explicit CheckMode(ProgramBody& body) : body_(body) {}

  /// Saves the content of arrays, with which both turns begin.
  void keep_values();
  /// Restores the saved content, and fills stale memory with garbage. Throws Error if copies of an array differ between
  /// ranks. Collective over the members.
  void begin(Turn turn, const NewestValues& values, const Arrangement& arrangement, Rank member, MPI_Comm members);
  void next_pass() { ++pass_; }

  /// Returns the order of the actions of a pass: in the first turn as given, in the second each as late as possible.
  std::vector<std::size_t> order(const std::vector<Action>& actions) const;
  /// Returns the ranges of a slice in order of computation: the whole in the first turn, pieces from last to first in
  /// the second. If a rounded sum depends on the order, both turns use the same pieces.
  std::vector<Slice> pieces(const DeclaredTask& task, const Slice& slice) const;
  /// Returns the parts in which a body computes the items of a piece: one in the first turn.
  std::int64_t parts(const DeclaredTask& task) const;
  bool rounds(const DeclaredTask& task) const;

  /// Calls `body` with guarded copies of `memory`, the memory of the accesses.
  void call(int task, const std::vector<DeclaredAccess>& accesses, std::span<const ViewedMemory> memory,
            const std::function<void(std::span<const ViewedMemory>)>& body);
  /// Records that a task has reduced a partial value.
  void reduced(int task, Rank member);
  /// Throws Error if a task has left different values in the copies of a replicated array. Collective.
  void check_copies(int task, MPI_Comm members) const;

  /// Returns the first task with different results in the two turns, as text; empty if there is none. Collective.
  std::string difference(MPI_Comm members) const;

 private:
  struct Copy;
  std::unique_ptr<Copy> copy_of(const DeclaredAccess& access, const ViewedMemory& memory) const;
  void protect_arrays(GuardedMemory::Allowed what);
  void spoil(int number, const Copies& copies, const Arrangement& arrangement, Rank member);
  unsigned char garbage() const { return turn_ == Turn::first ? 0xA5 : 0x5A; }
  GuardedMemory::Edge edge() const {
    return turn_ == Turn::first ? GuardedMemory::Edge::end : GuardedMemory::Edge::begin;
  }
  std::string explain(int task, const std::vector<DeclaredAccess>& accesses,
                      const std::vector<std::unique_ptr<Copy>>& copies, const void* address) const;

  using Digests =
      std::map<std::pair<std::int64_t, int>, std::uint64_t>;  // digest of the written values, by pass and task
  ProgramBody& body_;
  Turn turn_ = Turn::first;
  std::int64_t pass_ = 0;
  std::vector<std::vector<std::byte>> kept_;  // by array
  Digests digests_[2];
};

}  // namespace tombolo
