#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/framework/mpi/session.hpp>

namespace tombolo::timing {

/// What `choose` finds for a request on rank 0, which alone looks for it, on all ranks. Throws AgreedError for what it
/// throws. Collective.
std::vector<Candidate> chosen_at_rank_0(Session& session, const Request& request,
                                        const std::function<std::vector<Candidate>()>& choose);

}  // namespace tombolo::timing
