#pragma once

#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

class Session;

/// Returns the sum of `mine` over the ranks that share memory with this one: the ranks of its host; in a simulation all
/// ranks. Collective.
double sum_on_host(const Session& session, double mine);

/// Checks, before any allocation, that every host has enough free memory for all its ranks; throws AgreedError on all
/// ranks if not. `bytes` is the need of this rank, as a double, because mistyped sizes may exceed 2^63. Collective.
void require_memory(Session& session, double bytes);

/// Returns the free memory in bytes by rank, each host's divided equally among its ranks. In a simulation, where memory
/// can be phantom, and in an imagined session the result is empty. The same on all ranks. Collective.
std::vector<double> memory_of_ranks(Session& session);

/// Checks memory as require_memory(). In a simulation, insufficient memory or `wanted` selects phantom memory instead
/// (Session::use_phantom_memory). `largest` is the size of the largest buffer. Collective.
void provide_memory(Session& session, double bytes, Bytes largest, bool wanted);

}  // namespace tombolo
