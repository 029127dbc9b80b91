#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Domain of a program: independent items, shared out when the program is planned. A domain is cut along its first
/// dimension: an item is all points with one index there.
struct DeclaredDomain {
  std::string name;
  std::int64_t items = 0;                   ///< extent of the first dimension
  std::vector<std::int64_t> weights = {};   ///< work of each item; empty: equal
  std::int64_t grain = 1;                   ///< least items worth a call of the body
  std::vector<std::int64_t> given = {};     ///< explicit items of each rank; empty: chosen
  std::vector<std::int64_t> sums = {};      ///< prefix sums of the weights, ending with the total; may be empty
  std::array<std::int64_t, 2> inner{1, 1};  ///< extents of the other dimensions
  bool adapts = false;                      ///< shares may change during a run

  std::int64_t points() const { return inner[0] * inner[1]; }  ///< points of an item
};

/// Array of a program and its distribution: a matrix, or a vector as a matrix of one column. Row i is item i of its
/// domain.
struct DeclaredArray {
  static constexpr int whole = -1;  ///< in no domain

  std::string name;
  MatrixShape shape;
  Bytes element = 1;
  int slices = whole;
  std::optional<Rank> root = {};  ///< rank that holds the whole, with its own slice in place
  bool everywhere = false;        ///< every rank holds the whole
  std::int64_t halo = 0;          ///< rows copied before and behind a rank's own
  std::int64_t least = 0;         ///< least rows allocated on every rank
  /// Explicit distribution; then the array is in no domain and at no root, and all ranks are members.
  std::optional<Distribution> placed = {};

  /// Name of the operation of a partial value, which is combined from parts and reduced before it is read; else empty.
  std::string reduction = {};
  bool in_order = false;  ///< parts are combined in item order, as the operation does not commute
  std::string type = {};  ///< element type, for comparison between ranks

  bool sliced() const { return slices != whole; }
  bool partial() const { return !reduction.empty(); }
};

#define TOMBOLO_TASK(NAME) NAME,
enum class TaskKind {
#include <tombolo/framework/program/declare/tasks/tasks.def>
};
#undef TOMBOLO_TASK
std::string_view name(TaskKind kind);

/// Task of a program: its kind, data and cost. Arrays, domains and loops are given by number.
struct DeclaredTask {
  static constexpr int none = -1;

  std::string name = {};
  TaskKind kind = TaskKind::custom;
  int array = none;             ///< the array of a communication
  int to = none;                ///< move, swap, pack, unpack: the second array
  bool transposed = false;      ///< move, pack, unpack: the second array becomes the transpose
  bool partly = false;          ///< move: elements that the first array lacks keep their values in the second
  bool spends = false;          ///< move, pack, unpack: gives up the first array; a pack comes before, an unpack behind
  bool commutative = true;      ///< allreduce
  int slices = none;            ///< compute, farm: the domain
  double operations = 0;        ///< compute, farm: of an item of weight 1, about; custom: of each rank
  std::string kernel = {};      ///< kernel that gives the speed
  std::int64_t size = 0;        ///< compute, farm: problem size of an item, in the kernel's measure; 0: large
  Bytes bytes = 0;              ///< custom: bytes sent between ranks
  std::int64_t parts = 1;       ///< compute: parts in which an item can be computed
  std::vector<int> reads = {};  ///< items of the range
  std::vector<int> around = {};    ///< items of the range and the adjacent halo
  std::vector<int> wholes = {};    ///< whole arrays that every rank holds
  std::vector<int> writes = {};    ///< every element of the range; the previous content is undefined
  std::vector<int> updates = {};   ///< elements of the range, in place
  std::vector<int> combines = {};  ///< partial values
  int loop = none;

  bool communicates() const;
};

/// Loop of a program: tasks that are repeated `most` times, or until a rule holds.
struct DeclaredLoop {
  std::string name;
  int first = 0;  ///< first task
  int end = 0;    ///< behind the last task
  std::int64_t most = 0;
  bool stops = false;             ///< has a rule, whose result rank 0 broadcasts after each pass
  std::vector<int> watches = {};  ///< replicated arrays that the rule reads
};

/// Declaration of a program: its data, and its tasks in order. The same on all ranks.
struct Declaration {
  std::string name;
  std::vector<DeclaredDomain> slices = {};
  std::vector<DeclaredArray> arrays = {};
  std::vector<DeclaredTask> tasks = {};
  std::vector<DeclaredLoop> loops = {};
};

/// True if a task must process its items in order.
bool goes_in_order(const Declaration& program, const DeclaredTask& task);

/// Throws Error for a contradictory declaration: sizes that do not match, an array written by two tasks without a read
/// between them, a read of stale values, work of unknown cost.
void check(const Declaration& program);

/// Part of a declaration in a few words, with its hash; different parts have equal hashes with probability 2^-64.
struct Fingerprint {
  std::string what;  ///< e.g. "domain rows", "task multiply"
  std::uint64_t hash = 0;
};
/// Returns the fingerprints of all parts of a program, in order, for comparison between ranks. Time and memory are
/// proportional to the declaration.
std::vector<Fingerprint> fingerprints(const Declaration& program);

/// Part of a program: the tasks between loops, or the tasks of a loop.
struct Section {
  int first = 0;
  int end = 0;
  int loop = DeclaredTask::none;
};
std::vector<Section> sections_of(const Declaration& program);

/// Returns the passes of a loop from `passes`; 1 for tasks outside loops.
inline std::int64_t passes_of(int loop, std::span<const std::int64_t> passes) {
  return loop == DeclaredTask::none ? 1 : passes[static_cast<std::size_t>(loop)];
}

}  // namespace tombolo
