#pragma once

// Speeds of processors, kernels that measure them, shares of work in proportion to speed, and the report of a run,
// which compares predicted with measured times.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The speed of a processor as a function of the problem size: operations per second, piecewise linear between the
/// measured points, constant beyond both ends. Integers, rounded down, so the same on all hosts. Source: the functional
/// performance model, Lastovetsky and Reddy, "Data partitioning with a functional performance model of heterogeneous
/// processors", 2007.
///
///     SpeedFunction({{100, 4000}, {200, 1000}}).at(150) = 2500, of 50: 4000, of 300: 1000
class SpeedFunction {
 public:
  /// Makes a function of one or more points, sizes ascending. Throws Error for no points, for sizes that do not ascend
  /// or are negative, and for negative speeds. Speed 0: the rank cannot do problems of this size.
  explicit SpeedFunction(std::vector<SpeedPoint> points);
  /// Makes a function with the same speed at every size. Throws Error if the speed is negative.
  static SpeedFunction constant(std::int64_t speed);

  /// Returns the operations per second for a problem of this size (0 or more).
  std::int64_t at(std::int64_t size) const;
  /// Returns the time of `operations` (0 or more) on a problem of this size, rounded up; `never` if the speed is 0.
  Picoseconds time(std::int64_t operations, std::int64_t size) const;
  /// Returns a function that is slower by the factor `times` at every size; nonzero speeds stay at least 1.
  SpeedFunction slower(double times) const;
  /// Returns true if the speed is the same at every size.
  bool is_constant() const;
  const std::vector<SpeedPoint>& points() const { return points_; }

  bool operator==(const SpeedFunction&) const = default;

 private:
  std::vector<SpeedPoint> points_;
};

/// A computation whose speed decides the shares of ranks: the work of an application on one rank's part.
struct Kernel {
  std::string name;  ///< letters, digits, '-', '_', '.'
  std::string unit;  ///< unit of operations: "flop", "B"
  /// Problem sizes to measure, ascending; the kernel defines the meaning of a size (n of n x n, bytes, rows).
  std::vector<std::int64_t> sizes;
  /// Returns the speed at a size, in operations per second, at least 1; takes about seconds_at_least, or a few calls if
  /// that is longer. May throw, for example std::bad_alloc.
  std::function<std::int64_t(std::int64_t size, double seconds_at_least)> measure;
  /// Version, to be changed with the code of the kernel: speeds of another version are measured again.
  std::string version = {};
  /// The name of the kernel's speeds in a platform file. register_kernel() replaces an empty name by PROGRAM/NAME, so
  /// that programs do not share speeds of unrelated kernels of one name.
  std::string kept_as = {};
};

/// Returns a kernel from a function that does the work of one problem of a size and returns its number of operations;
/// measured by repeated calls, after one more call.
///
///     register_kernel(kernel_of("dot", "flop", {1000, 1'000'000}, [](std::int64_t n) { return dot_of_length(n); }));
///
/// Allocations in `work` are part of the measured time. `measure` throws Error if the number of operations is not
/// positive.
Kernel kernel_of(std::string name, std::string unit, std::vector<std::int64_t> sizes,
                 std::function<double(std::int64_t size)> work);

/// Returns the kernel of this name, built in (docs/kernels.md) or registered; null if there is none.
const Kernel* find_kernel(const std::string& name);

/// Returns the kernel of this name. Throws Error, with the list of kernels, if there is none.
const Kernel& known_kernel(const std::string& name);

/// Registers a kernel under its name in this process; all ranks must register it. PROGRAM in `kept_as` is the name of
/// the executable, without folders. Throws Error for a name that is taken or has other characters, for no sizes, sizes
/// below 1 or not ascending, and for a missing `measure`.
void register_kernel(Kernel kernel);

/// Returns the names of all kernels, sorted.
std::vector<std::string> kernel_names();

/// Policy for shares.
enum class SharePolicy {
  best,   ///< in proportion to speed, on the ranks with the fastest prediction
  speed,  ///< in proportion to speed, on all ranks
  equal
};

/// Returns the number of items of each rank, of n items, in proportion to speeds by largest remainder: every rank first
/// gets the whole part of its exact share n * speed / total; the items left go, one each, to the ranks with the largest
/// fractions, the lower rank first among equals. Exact integer arithmetic, so all ranks agree.
///
///     proportional_shares(10, speeds {3, 2, 1})   exact shares 5, 3.33, 1.67
///                                                 whole parts  5, 3,    1     one item is left, for rank 2
///                                                 = {5, 3, 2}
///
/// The shares sum to n, each is less than one item away from exact, a faster rank never gets less than a slower one,
/// and speed 0 gets nothing. Speeds may have any common unit. n and every speed may be up to 2^63 - 1. Throws Error if
/// n or a speed is negative, or if no speed is positive. Source: slices in proportion to speed, Lastovetsky and Rychkov
/// 2009 (the LMO paper), section 7 and Figure 5.
std::vector<std::int64_t> proportional_shares(std::int64_t n, std::span<const FlopsPerSecond> speeds);

/// Divides n items over ranks of equal speed; ranks 0 to n mod ranks - 1 get one item more. Throws Error if ranks < 1
/// or n < 0.
std::vector<std::int64_t> equal_shares(std::int64_t n, int ranks);

/// Returns the start of each share and, at the end, the sum: rank r holds items result[r] to result[r + 1] - 1.
/// first_of({5, 3, 2}) = {0, 5, 8, 10}
std::vector<std::int64_t> first_of(std::span<const std::int64_t> shares);

/// Returns the number of items of each rank, of n items, if a rank's speed depends on its number of items: rank r with
/// x items has a problem of size x * size_per_item, has the speed s_r of that size and takes x / s_r. The longest time
/// is minimal for whole items, and the other times are as equal as possible. `most` limits the items by rank, for
/// memory for example; empty means no limits. With constant speeds, and limits that are not reached, the result equals
/// proportional_shares().
///
///     functional_shares(12, {of_speed 4000 up to size 4 and 1000 from size 8, constant 1000}, 1) = {7, 5}
///
/// A speed that rises faster than the size makes times that fall again. The longest time is minimal then too, because
/// the search uses the set of counts that each rank can do within a time, not one upper bound (of more than 1000
/// intervals of joint counts, the shortest are dropped). Sizes beyond 2^63 - 1 count as 2^63 - 1. Integers, so all
/// ranks agree. Throws Error if n, a limit or size_per_item is out of range, if no speed is positive, or if the limits
/// together are below n. Source: Lastovetsky and Reddy 2007, whose lines through the origin are the times searched
/// here.
std::vector<std::int64_t> functional_shares(std::int64_t n, std::span<const SpeedFunction> speeds,
                                            std::int64_t size_per_item, std::span<const std::int64_t> most = {});

/// Returns the number of consecutive items of each rank, for items in a fixed order: the first items are rank 0's, the
/// next rank 1's, and so on. Weights of items, 0 or more, are proportional to their time (for example the nonzeros of a
/// row of a sparse matrix). The longest time weight / speed is the least possible for slices in rank order, and within
/// this bound each slice ends where the accumulated weight is nearest to the ranks' part of the total speed. If all
/// weights are 0, items count equally. `most` limits the numbers of items by rank; empty means no limits. A rank of
/// speed 0 gets nothing.
///
///     weighted_shares(weights {5, 1, 1, 1, 2}, speeds {1, 1}) = {1, 4}
///
/// Integers, so all ranks agree; takes O(items + 130 ranks log(items)) time. Throws Error if a weight, speed or limit
/// is negative, if weights sum beyond 2^63 - 1, if no speed is positive, or if the limits together are less than the
/// number of items. Source: bisection over the time with greedy slices, the exact solution of chains on chains, Pinar
/// and Aykanat 2004, section 3.
std::vector<std::int64_t> weighted_shares(std::span<const std::int64_t> weights, std::span<const std::int64_t> speeds,
                                          std::span<const std::int64_t> most = {});

/// Returns the sum of weights before each item, and of all items. Throws Error for a negative weight or a sum beyond
/// 2^63 - 1.
std::vector<std::int64_t> weights_before(std::span<const std::int64_t> weights);

/// Returns weighted_shares() of items given by their consecutive weight sums, ascending from any start. Avoids another
/// pass over the items if the same items are divided often.
std::vector<std::int64_t> shares_of_sums(std::span<const std::int64_t> sums, std::span<const std::int64_t> speeds,
                                         std::span<const std::int64_t> most = {});

/// Predicted and measured times of a task. Seconds, of all passes.
struct TaskReport {
  std::string name;
  std::string what;  ///< "scatterv", "compute"
  std::string how;   ///< plan or kernel
  std::string loop;  ///< loop of the task; empty: none
  double predicted_s = 0;
  double bound_s = 0;
  double seconds = 0;  ///< added by the task on the slowest rank
};

/// Predicted and measured times of a member.
struct MemberReport {
  Rank rank = 0;  ///< of the session
  std::string host;
  std::vector<std::int64_t> items;  ///< of each domain
  double predicted_s = 0;           ///< of computation
  double computing_s = 0;
  double operations = 0;
  std::vector<double> seconds;  ///< in each task, waiting included
};

/// Passes of a loop.
struct LoopReport {
  std::string name;
  std::int64_t most = 0;
  std::int64_t passes = 0;   ///< measured, or expected
  std::int64_t changes = 0;  ///< changes of shares
};

/// Predicted and measured times of a program. The same on all ranks.
struct RunReport {
  std::string name;
  std::string collectives;  ///< "tombolo", "native"
  std::string how;          ///< shares, members, panels
  bool overlaps = false;
  bool ran = false;
  int ranks = 0;  ///< of the session
  std::vector<std::string> slices;
  std::vector<TaskReport> tasks;
  std::vector<LoopReport> loops;
  std::vector<MemberReport> members;
  std::vector<std::string> notes;   ///< lines of text on the sources of speeds
  std::vector<std::string> belied;  ///< kernels whose earlier measured speeds the run contradicts
  double seconds = 0;
  double predicted_s = 0;
  double bound_s = 0;

  /// (predicted - measured) / measured
  double error() const { return seconds > 0 ? predicted_s / seconds - 1 : 0; }
};

/// Returns tables as text.
std::string to_text(const RunReport& report);
}  // namespace tombolo
