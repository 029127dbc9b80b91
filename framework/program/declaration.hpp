#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/framework/distribution.hpp>
#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Independent items, of which every rank gets some; how many is chosen when the program is planned.
struct DeclaredSlices {
  std::string name;
  std::int64_t items = 0;
  std::vector<std::int64_t> weights = {};  ///< the work of each item; empty: all alike
  std::int64_t grain = 1;                  ///< items that are worth a call of their own
  std::vector<std::int64_t> given = {};    ///< items of each rank, where the program says so itself
  std::vector<std::int64_t> sums = {};     ///< of the weights before each item and of all, where they were added up
};

/// A matrix, or a vector as one of one column, and who holds what of it. Row i is item i of its slices.
struct DeclaredArray {
  static constexpr int whole = -1;  ///< of no slices

  std::string name;
  MatrixShape shape;
  Bytes element = 1;
  int slices = whole;
  std::optional<Rank> root = {};  ///< who holds all of it, its own slice in place
  bool everywhere = false;        ///< every rank holds all of it
  std::int64_t halo = 0;          ///< rows before and behind a rank's own that it holds copies of
  std::int64_t least = 0;         ///< rows that every rank has room for, however few are its own
  /// Who holds what, where the program says so itself; then it is in no slices, at no root, and all ranks take part.
  std::optional<Distribution> placed = {};

  bool sliced() const { return slices != whole; }
};

enum class TaskKind {
  scatterv,
  gatherv,
  bcast,
  allgatherv,
  allreduce,
  halo,
  move,
  compute,
  farm,
  own,
  swap,
  pack,
  unpack
};
std::string_view name(TaskKind kind);

/// One task: what it does, to which data, and what it takes. Arrays, slices and loops are numbers of theirs.
struct DeclaredTask {
  static constexpr int none = -1;

  std::string name = {};
  TaskKind kind = TaskKind::own;
  int array = none;         ///< that is moved
  int to = none;            ///< move, swap, pack, unpack: the other one
  bool transposed = false;  ///< move, pack, unpack: the other one becomes the transpose
  bool spends = false;      ///< move, pack, unpack: the first one is gone then; a pack before, an unpack behind
  bool commutative = true;  ///< allreduce
  int slices = none;        ///< compute, farm: over these
  double operations = 0;    ///< compute, farm: of an item of weight 1, about; own: of each rank
  std::string kernel = {};  ///< whose speed it has
  std::int64_t size = 0;    ///< compute, farm: that an item adds to the problem, as the kernel counts; 0: it is large
  Bytes bytes = 0;          ///< own: that pass between ranks
  std::vector<int> reads = {};
  std::vector<int> around = {};  ///< compute: of which the halo is read too
  std::vector<int> writes = {};
  std::vector<int> partial = {};  ///< compute: each rank's part of what an allreduce then combines
  int loop = none;

  bool computes() const { return kind == TaskKind::compute || kind == TaskKind::farm || kind == TaskKind::own; }
  bool puts_in_order() const { return kind == TaskKind::pack || kind == TaskKind::unpack; }
  bool moves() const { return kind == TaskKind::move || puts_in_order(); }
  bool communicates() const { return kind != TaskKind::compute && kind != TaskKind::swap && !puts_in_order(); }
};

/// Tasks that are done again and again, until a rule says that it is enough.
struct DeclaredLoop {
  std::string name;
  int first = 0;  ///< of its tasks
  int end = 0;    ///< behind the last
  std::int64_t most = 0;
  bool stops = false;  ///< when a rule says so, as rank 0 tells all after each pass
};

/// A program as it is declared: data, and the tasks in their order. The same on all ranks.
struct Declaration {
  std::string name;
  std::vector<DeclaredSlices> slices = {};
  std::vector<DeclaredArray> arrays = {};
  std::vector<DeclaredTask> tasks = {};
  std::vector<DeclaredLoop> loops = {};
};

/// Throws Error for declarations that contradict themselves: sizes that do not match, an array written by two tasks of
/// which nobody reads the first, slices that are read before anything has put data there, arrays that are read after a
/// move has spent them, work without a kernel.
void check(const Declaration& program);

/// A text that is the same for the same declaration, and for no other one: ranks compare it.
std::string fingerprint(const Declaration& program);

}  // namespace tombolo
