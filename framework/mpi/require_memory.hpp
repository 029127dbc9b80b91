#pragma once

#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

class Session;

/// Checks, before anything is allocated, that what all ranks of every host need together is free there; throws
/// AgreedError on all ranks where it is not. `bytes` is what this rank needs, as a double, for sizes typed by mistake
/// may pass 2^63. Collective.
void require_memory(Session& session, double bytes);

/// Bytes that each rank can have of what is free on its host, where all ranks there take alike; in a simulation, where
/// memory can be phantom, nothing. The same on all ranks. Collective.
std::vector<double> memory_of_ranks(Session& session);

/// The same, but in a simulation what is not free, or what is `wanted` so, is phantom from then on
/// (Session::use_phantom_memory). `largest` is the size of the largest buffer.
void provide_memory(Session& session, double bytes, Bytes largest, bool wanted);

}  // namespace tombolo
