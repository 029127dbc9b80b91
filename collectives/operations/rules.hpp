#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

namespace tombolo {

/// Membership test of a subset of a request's ranks, e.g. the ranks of a host or of a cluster.
using Among = std::function<bool(Rank)>;

/// Amount of data that must pass between a subset of ranks and all other ranks under any plan: the data that each side
/// needs from the other, combined by the reduction as far as possible.
struct Crossing {
  std::int64_t out = 0;  ///< from the subset to the other ranks
  std::int64_t in = 0;
  bool operator==(const Crossing&) const = default;
};

/// A set of a request's ranks as far as bounds ask for it. Summaries of disjoint sets add up.
struct RankSummary {
  bool root = false;  ///< the root is a member
  Rank lowest = std::numeric_limits<Rank>::max();
  Rank highest = -1;
  std::int64_t blocks = 0;  ///< elements of all blocks
  std::int64_t rows = 0;    ///< alltoallv of a product: sums of the two factors
  std::int64_t columns = 0;
  std::vector<Rank> members = {};  ///< alltoallv of other counts; else empty

  void add(const Request& request, Rank rank);
  void add(const RankSummary& other);
  bool empty() const { return highest < 0; }
};

/// All that differs between operations, apart from algorithms and MPI's calls. One constant NAME_operation for each
/// line of operations.def, in the file of its name.
struct OperationRules {
  /// See contract().
  Contract (*contract)(const Request& request, Rank rank) = nullptr;
  /// Elements that ranks `to` need of ranks `from`, combined as far as possible; disjoint sets that are not empty.
  std::int64_t (*needed)(const Request& request, const RankSummary& from, const RankSummary& to) = nullptr;
  /// True if the result of `to` depends on the contribution of `from`, another rank.
  bool (*needs)(const Request& request, Rank to, Rank from) = nullptr;
  /// Lower bound on the time between at least two ranks under the model.
  Picoseconds (*hockney_bound)(const Request& request, const Hockney& model) = nullptr;
  /// Elements that all hosts together must send for each host but one, if each element must be combined across hosts.
  /// Null: all hosts together send what must enter each of them.
  std::int64_t (*combined_per_host)(const Request& request) = nullptr;
};

#define TOMBOLO_OPERATION(name, ...) extern const OperationRules name##_operation;
#include <tombolo/collectives/request/operations.def>
#undef TOMBOLO_OPERATION

const OperationRules& rules(Operation operation);

/// Bytes that ranks `to` need of ranks `from` (OperationRules::needed); 0 if a set is empty.
Bytes needed_bytes(const Request& request, const RankSummary& from, const RankSummary& to);

/// Bytes that must cross between the subset and the other ranks. The request must hold all counts. Linear time in the
/// number of ranks; quadratic for alltoallv.
Crossing crossing(const Request& request, const Among& among);

// The following functions are for the rules of several operations.

/// Contract with one vector per rank, combined over ranks 0 to `last`; no result if last < 0.
Contract prefix_contract(const Request& request, Rank rank, Rank last);

/// Contract with one block per rank; `gets_all`: the rank receives all blocks.
Contract gather_contract(const Request& request, Rank rank, bool gets_all);

// In the following bounds lg is the logarithm to base 2, rounded up, and T(x) the time of a message of x bytes
// (docs/algorithms.md has the reasons).

/// The number of informed ranks at most doubles per latency: lg(ranks) latencies until all are informed.
Picoseconds spreading_bound(int ranks, const Hockney& model);

/// One rank's vector must reach all others, or all vectors one rank; 0 for an empty vector. With n messages from the
/// source lg(ranks) - 1 latencies, T(vector) - latency, and T(vector / n) + (n - 1) / 2 latencies at least, for the
/// best n.
Picoseconds vector_bound(const Request& request, const Hockney& model);

/// As vector_bound(), and the messages that a prefix network of the depth that time allows has at least.
Picoseconds prefix_bound(const Request& request, const Hockney& model);

/// All blocks but the root's own pass through the root's port, in one message at least; with k blocks that are not
/// empty and have at least b bytes, lg(k + 1) latencies and k b.
Picoseconds root_port_bound(const Request& request, const Hockney& model);

/// Every rank must receive all blocks but its own, or send all but its own; as root_port_bound() for each rank.
Picoseconds all_blocks_bound(const Request& request, const Hockney& model);

/// One rank must receive, or send, `others` messages' worth of data, none of less than `least` bytes, of `bytes`
/// altogether. A rank that knows k contributions has received k - 1 of them, and needs lg(k) latencies for that: the
/// last message brings j new ones of a rank that knew them, and the larger of j and k - j halves k at best.
Picoseconds collecting_bound(std::int64_t others, Bytes least, Bytes bytes, const Hockney& model);

}  // namespace tombolo
