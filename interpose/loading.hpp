#pragma once

namespace tombolo::interpose {

/// Takes this library out of LD_PRELOAD, before MPI starts: what a rank starts is no part of the run, and may have
/// another MPI library.
void load_for_ranks_alone();

/// Ends the process with one line if MPI was started by code for the other MPI library, as an interpreter loads it when
/// tombolo-run has chosen already. `caller`: an address of that code.
void refuse_other_library(const void* caller);

}  // namespace tombolo::interpose
