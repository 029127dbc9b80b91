#pragma once

#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>
#include <tombolo/collectives/request/request.hpp>

namespace tombolo {

/// Writes a scan or exscan along the chain of ranks, in segments, with scratch for two of them: what is left to
/// algorithms whose sums do not fit into scratch.
void write_scan_along_chain(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer);

}  // namespace tombolo
