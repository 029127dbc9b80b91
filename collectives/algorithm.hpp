#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/schedule_writer.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

/// One way to carry out one operation: a pure function that writes one rank's steps. Kept as a constant in a file of
/// its own and named in algorithms.def; everything else finds it there. It works for any number of ranks, root and
/// sizes, whatever the parameters, and says which of these it heeds.
struct Algorithm {
  using Write = void (*)(const Request&, const Parameters&, Rank, ScheduleWriter&);

  std::string_view name;
  Operation operation;
  std::string_view summary;  ///< one line: what it does and when it is good
  Write write;
  /// Of an algorithm with a root whose steps go along one tree, that tree over places; which rank takes which may then
  /// be chosen by what is sent along it (mapping/placed_order.hpp). Null: of others.
  ShapeOf shape = nullptr;
  /// Where an algorithm needs counts that MPI does not give the rank (Knowledge::as_in_mpi), writes the steps over
  /// Buffer::counts that bring them; null where it does not. For operations with one count per rank (Request::blocks).
  Write learn = nullptr;
  /// Whether ranks need the counts of exchanges between others, which MPI_Alltoallv gives none of them.
  bool all_counts = false;
  bool segments = false;  ///< whether it heeds Parameters::segment_bytes
  /// After how many segments what they take repeats itself; null where each is like the one before.
  int (*period)(const Request&, const Parameters&) = nullptr;
  int radix = 0;        ///< what Parameters::radix is where it is 0; 0: does not heed it
  int least_radix = 2;  ///< the least that means anything
  bool timed = false;   ///< whether it heeds Parameters::delay
  bool weighs = false;  ///< whether it heeds Parameters::rates
  bool mapped = false;  ///< whether it heeds Parameters::trees
  /// Whether these may be several, each with a share of the vector (of blocks: one for each level, level_groups.hpp),
  /// or one with several tops.
  bool several_trees = false;
  bool several_tops = false;
  bool reorders = false;  ///< whether it combines in another order than that of ranks: only for operations that commute
  /// Another one with a window that costs messages of its own, and in the race only where what it avoids is known to
  /// happen (stored_thresholds.hpp).
  bool throttles = false;
  /// Kept to compare others with, one of which does the same in less time but for chance: shown, timed and carried out
  /// where it is asked for by name, never chosen, so that choosing costs no more.
  bool baseline = false;

  /// Whether it can carry out such a request at all.
  bool suits(const Request& request) const {
    return request.operation == operation && (request.commutative || !reorders) &&
           (request.knowledge == Knowledge::everywhere || !all_counts);
  }
};

#define TOMBOLO_ALGORITHM(constant) extern const Algorithm constant;
#include <tombolo/collectives/algorithms.def>
#undef TOMBOLO_ALGORITHM

/// All algorithms, or all of one operation, in the order of algorithms.def.
std::span<const Algorithm* const> all_algorithms();
std::vector<const Algorithm*> algorithms_for(Operation operation);
/// Those that can carry out the request.
std::vector<const Algorithm*> algorithms_for(const Request& request);

/// Throws Error that lists the names there are.
const Algorithm& find_algorithm(Operation operation, std::string_view wanted);

}  // namespace tombolo
