#pragma once

#include <functional>
#include <string>

#include <mpi.h>

namespace tombolo {

/// Throws Error, the same on all ranks, unless all ranks make the same call: different calls would deadlock or mix up
/// collectives. `call` is this rank's call in words, for example "runs program heat". Collective.
void check_same_call(MPI_Comm communicator, const std::string& call);

/// The same of a call that `work` returns in words, and agree() on `work`, in one exchange. Collective.
void agree_on_call(MPI_Comm communicator, const std::function<std::string()>& work);

}  // namespace tombolo
