#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// What an algorithm follows that is made for one platform (mapping/trees_for.hpp, mapping/groups_for.hpp).
enum class Mapped : std::uint8_t {
  nothing,
  tree,             ///< one tree with one root (Parameters::trees)
  trees,            ///< trees with one root, each with a share of the vector
  leaders,          ///< one tree with several roots, the leaders of clusters, which exchange among themselves
  sets_of_leaders,  ///< trees with several roots, each with a share of the vector
  clusters,         ///< groups on one level (Parameters::groups)
  nested_groups     ///< groups inside groups, on any number of levels
};

/// Where an order of virtual ranks (Parameters::order) that suits an algorithm has ranks that are near each other, in a
/// host or a cluster (mapping/placement.hpp).
enum class NearRanks : std::uint8_t {
  anywhere,
  adjacent,  ///< most data goes to the next virtual rank
  far_apart  ///< most data goes to virtual ranks far away in the order
};

/// So many rounds alike of an algorithm: the most elements that a rank sends to another one in a round, and that it
/// then combines.
struct RegularRounds {
  std::int64_t number = 1;
  std::int64_t sent = 0;
  std::int64_t combined = 0;
  int distance = 0;  ///< in virtual ranks, to the one that a rank sends to; 0: differs between rounds or ranks
};

/// One algorithm of one operation: a pure function that writes one rank's steps. A constant in
/// collectives/algorithms/, listed in algorithms.def. Must be correct for any number of ranks, root, sizes and
/// parameters; declares the parameters in use.
struct Algorithm {
  using Write = void (*)(const Request&, const Parameters&, Rank, ScheduleWriter&);

  std::string_view name;
  Operation operation;
  std::string_view summary;  ///< one line: method and best use
  Write write;
  /// Tree topology over virtual ranks, if the algorithm has a root and its steps follow one tree. The rank order may
  /// then be chosen by the data sent along the tree (mapping/placement.hpp). Null otherwise.
  TreeFamily shape = nullptr;
  /// Writes the steps over Buffer::counts that bring the rank the needed counts that MPI does not give
  /// (Knowledge::as_in_mpi). Null if no counts are missing. For operations with one count per rank (Request::blocks).
  Write learn = nullptr;
  /// Needs the alltoall counts of all pairs of ranks, which MPI_Alltoallv gives to no rank.
  bool all_counts = false;
  /// The parameters in use, besides the radix, which `radix` declares, and the window, which any algorithm may use.
  ParameterSet uses = {};
  NearRanks near = NearRanks::anywhere;
  /// Number of segments after which the cost of a segment repeats; null if all segments cost the same.
  int (*period)(const Request&, const Parameters&) = nullptr;
  /// Of an algorithm whose ranks all send one segment in each of as many rounds as there are segments, and some more
  /// for the first segment to reach all: the number of these. Patterns repeat after one round more. Null otherwise.
  int (*filling)(const Request&) = nullptr;
  /// Of an algorithm of rounds in which every rank sends one message and receives one, at most: the rounds, which give
  /// its time without simulation where all links are equal. No rounds where counts differ. Null for others.
  std::vector<RegularRounds> (*regular)(const Request&, const Parameters&) = nullptr;
  /// Of an algorithm with so many messages that they cannot all be simulated on many ranks: the most messages that wait
  /// for one another in a row. Its time is then that of the busiest resource and so many latencies. Null for others.
  int (*in_a_row)(const Request&, const Parameters&) = nullptr;
  int radix = 0;                    ///< default of Parameters::radix; 0: radix unused
  int least_radix = 2;              ///< smallest valid radix
  Mapped mapped = Mapped::nothing;  ///< the trees or groups in use
  bool needs_commutative = false;   ///< does not combine in rank order: for commutative reductions only
  /// Of an allreduce: each rank combines in an order of its own, so rounding makes the results of ranks differ.
  bool ranks_differ = false;
  /// A windowed variant of another algorithm, with extra messages for the window. A candidate only if gather outliers
  /// are known to occur (stored_thresholds.hpp).
  bool throttles = false;
  /// Starts all messages at once, which causes outliers in gathers and contention in alltoalls.
  bool floods = false;
  /// For comparison only: another algorithm is always at least as fast, up to noise. Shown, timed and executed if
  /// named, but never a candidate, which saves search time.
  bool baseline = false;

  bool is_mapped() const { return mapped != Mapped::nothing; }
  bool follows_rooted_trees() const { return mapped == Mapped::tree || mapped == Mapped::trees; }
  bool follows_leaders() const { return mapped == Mapped::leaders || mapped == Mapped::sets_of_leaders; }
  bool follows_several_trees() const { return mapped == Mapped::trees || mapped == Mapped::sets_of_leaders; }
  bool follows_groups() const { return mapped == Mapped::clusters || mapped == Mapped::nested_groups; }

  /// True if the parameter has an effect on the pattern or the segments of the algorithm.
  bool heeds(Parameter parameter) const { return uses.has(parameter) || (parameter == Parameter::radix && radix != 0); }
  /// True if the algorithm can execute the request.
  bool suits(const Request& request) const {
    return request.operation == operation && (request.commutative || !needs_commutative) &&
           (request.knowledge == Knowledge::everywhere || !all_counts);
  }
};

#define TOMBOLO_ALGORITHM(constant) extern const Algorithm constant;
#include <tombolo/collectives/plan/algorithms.def>
#undef TOMBOLO_ALGORITHM

/// All algorithms, or all of one operation, in the order of algorithms.def.
std::span<const Algorithm* const> all_algorithms();
std::vector<const Algorithm*> algorithms_for(Operation operation);
/// The algorithms that suit the request.
std::vector<const Algorithm*> algorithms_for(const Request& request);

/// Throws Error with the list of valid names if there is none of that name.
const Algorithm& find_algorithm(Operation operation, std::string_view wanted);

}  // namespace tombolo
