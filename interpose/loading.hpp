#pragma once

namespace tombolo::interpose {

/// Takes this library out of LD_PRELOAD, before MPI starts: what a rank starts is no part of the run, and may have
/// another MPI library.
void load_for_ranks_alone();

}  // namespace tombolo::interpose
