// What the rules of several operations share.
#pragma once

#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

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
