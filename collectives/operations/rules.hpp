#pragma once

#include <cstdint>
#include <functional>

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

/// A subset of a request's ranks, and its complement.
struct Sides {
  const Among& among;
  bool root_inside = false;
  bool inside_first = false;   ///< some rank outside has a lower rank inside
  bool outside_first = false;  ///< some rank inside has a lower rank outside
  std::int64_t inside = 0;     ///< elements of all blocks inside
  std::int64_t outside = 0;
};

/// All that differs between operations, apart from algorithms and MPI's calls. One constant NAME_operation for each
/// line of operations.def, in the file of its name.
struct OperationRules {
  /// See contract().
  Contract (*contract)(const Request& request, Rank rank) = nullptr;
  /// Elements that must cross between two sides, neither of which is empty.
  Crossing (*crossing)(const Request& request, const Sides& sides) = nullptr;
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

/// Bytes that must cross between the subset and the other ranks. The request must hold all counts. Linear time in the
/// number of ranks; quadratic for alltoallv.
Crossing crossing(const Request& request, const Among& among);

// The following functions are for the rules of several operations.

/// Contract with one vector per rank, combined over ranks 0 to `last`; no result if last < 0.
Contract prefix_contract(const Request& request, Rank rank, Rank last);

/// Contract with one block per rank; `gets_all`: the rank receives all blocks.
Contract gather_contract(const Request& request, Rank rank, bool gets_all);

/// The number of informed ranks at most doubles per latency: ceil(log2(ranks)) latencies until all are informed.
Picoseconds spreading_bound(int ranks, const Hockney& model);

/// A port must pass the whole vector, and so many ranks must be informed; 0 for an empty vector.
Picoseconds vector_bound(const Request& request, int ranks, const Hockney& model);
/// The same for all ranks.
Picoseconds vector_bound(const Request& request, const Hockney& model);

/// All blocks but the root's own pass through the root's port, in one message at least, which costs a latency.
Picoseconds root_port_bound(const Request& request, const Hockney& model);

/// Every rank must receive all blocks but its own, or send all but its own.
Picoseconds all_blocks_bound(const Request& request, const Hockney& model);

}  // namespace tombolo
