#pragma once

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Writes a scan, or an exscan where it is not `inclusive`, in which groups of ranks that have combined their vectors
/// exchange the results with `radix` - 1 others, then the groups of these do (nested_groups.hpp). Each rank combines
/// what comes from the groups before its own a second time, with what it knows to precede it. Sums that no later rank
/// needs are not sent. The radix is the largest for which all that arrives at a time has room, at most that one.
void scan_over_groups(const Request& request, int radix, Rank rank, bool inclusive, ScheduleWriter& writer);

}  // namespace tombolo
