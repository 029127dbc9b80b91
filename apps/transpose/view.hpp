#pragma once

#include <tombolo/framework/mpi/session.hpp>

#include "transpose/options.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// Whether B in the order of --out is A's bytes as they are.
bool is_view_of_file(const Options& options, const Problem& problem);

/// Then that is what is copied, by all ranks and 16 MiB at a time on each, verified and reported. Throws AgreedError.
/// Collective.
template <Element T>
void copy_as_view(Session& session, const Options& options, const Problem& problem);

}  // namespace tombolo::transposition
