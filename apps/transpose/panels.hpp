#pragma once

#include <tombolo/framework/mpi/session.hpp>

#include "transpose/options.hpp"
#include "transpose/panel_memory.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// Transposes options.in to options.out within that limit, B in the order of A's file, verifies, and reports: panels of
/// A's lines are read by all ranks together, turned across them, and written into the lines of B. Throws AgreedError.
/// Collective.
template <Element T>
void transpose_in_panels(Session& session, const Options& options, const Problem& problem, const PanelLimit& limit);

}  // namespace tombolo::transposition
