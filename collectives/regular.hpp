#pragma once

#include <tombolo/collectives/request.hpp>

namespace tombolo {

/// The request in which no rank's count differs, of so many bytes as the OSU benchmarks count them: the vector that is
/// broadcast, combined or combined and scattered, one rank's block of a scatter, gather or allgather, the block of one
/// pair in a total exchange; a barrier has none. Bytes are rounded up to whole elements. What is combined and scattered
/// is shared out as evenly as elements allow, the first ranks getting one more.
Request regular_request(Operation operation, int ranks, Rank root, Bytes bytes, Bytes element_bytes = 1);

/// How many bytes those are for any request: the average where counts differ, 0 where they are not all known.
Bytes regular_bytes(const Request& request);

/// Whether all counts are known on every rank to be those of a regular request; of an exchange only where it was made
/// by Exchange::equal().
bool is_regular(const Request& request);

}  // namespace tombolo
