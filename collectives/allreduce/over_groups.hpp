#pragma once

#include <tombolo/collectives/algorithm.hpp>

namespace tombolo {

/// Writes an allreduce in which groups of places that have combined their vectors exchange the results with `radix` - 1
/// others, then the groups of these do, ceil(log_radix(places)) times; for any number of places (nested_groups.hpp).
/// Operands keep the order of ranks. The radix is the largest for which all that arrives at a time has room, at most
/// that one.
void allreduce_over_groups(const Request& request, const Parameters& parameters, int radix, Rank rank,
                           ScheduleWriter& writer);

}  // namespace tombolo
