#pragma once

#include <vector>

#include <tombolo/session.hpp>

#include "run/memory_limit.hpp"
#include "run/recording.hpp"
#include "transpose/options.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// The limit of a run that needs `needed` bytes on this rank if it is in memory (memory_limit()); none in a simulation,
/// and for matrices without files. Collective.
MemoryLimit panel_limit(Session& session, const Options& options, double needed);

/// Transposes options.in to options.out within that limit, B in the order of A's file, verifies, and reports: panels of
/// A's lines are read by all ranks together, turned across them, and written into the lines of B. `speeds` are those of
/// transposing, one per rank. Throws AgreedError. Collective.
template <Element T>
void transpose_in_panels(Session& session, const Options& options, const Problem& problem, const MemoryLimit& limit,
                         std::vector<BytesPerSecond> speeds, BetweenPanels& between);

/// Whether B in the order of --out is A's bytes as they are.
bool is_view_of_file(const Options& options, const Problem& problem);

/// Then that is what is copied, by all ranks and 16 MiB at a time on each, verified and reported. Throws AgreedError.
/// Collective.
template <Element T>
void copy_as_view(Session& session, const Options& options, const Problem& problem, BetweenPanels& between);

}  // namespace tombolo::transposition
