#pragma once

#include <string>
#include <string_view>

#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Returns the request with equal counts. `bytes` is the message size of the OSU benchmarks: the whole vector of bcast,
/// reduce, allreduce, scan and reduce_scatter; one rank's block of scatter, gather and allgather; one pair's block of
/// alltoall; unused by barrier. Bytes are rounded up to whole elements. Reduce_scatter shares the vector out as evenly
/// as possible; the first ranks get one element more.
Request regular_request(Operation operation, int ranks, Rank root, Bytes bytes, Bytes element_bytes = 1);

/// Message size of any request in bytes, as in regular_request(): the average if counts differ, 0 if not all are known.
Bytes regular_bytes(const Request& request);

/// True if all counts are known on every rank and equal to those of a regular request; for alltoallv only if made by
/// AlltoallCounts::equal().
bool is_regular(const Request& request);

/// Distribution of the counts of one call over its blocks.
enum class Counts {
  equal,
  zipf,   ///< the k-th largest count is 1 / k of the largest
  sparse  ///< three quarters of the counts are 0
};

/// Returns `regular` (regular_request, equal counts) with the same number of elements, up to rounding, in the given
/// distribution. The positions of the large blocks are pseudo-random and reproducible. In an alltoall every rank sends
/// the same total, to different ranks. Throws Error for operations without counts.
Request with_counts(const Request& regular, Counts counts);

/// Names of the operations with counts, the last one after the conjunction ("or").
std::string operations_with_counts(std::string_view conjunction);

}  // namespace tombolo
