#pragma once

#include <vector>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/mpi/session/progress_line.hpp>

#include "output.hpp"
#include "transpose/layouts.hpp"
#include "transpose/options.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// A run with all of A in memory: loads or generates it, transposes, verifies, writes and reports. `speeds` are those
/// of transposing, one per rank. In two buffers, of a
/// program, a rank's A and B lie one beside the other; in one, B takes A's place.
/// All throw AgreedError and are collective.
template <Element T>
void run_in_two_buffers(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                        const std::vector<BytesPerSecond>& speeds, const ProgressLine& progress);
template <Element T>
void run_in_one_buffer(Session& session, const Options& options, const Problem& problem, const Layouts& layouts,
                       const std::vector<BytesPerSecond>& speeds, const ProgressLine& progress);

/// Bytes that a rank needs for the first.
double bytes_of_two_buffers(const Session& session, const Layouts& layouts, Bytes element);

}  // namespace tombolo::transposition
