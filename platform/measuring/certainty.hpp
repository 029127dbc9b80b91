#pragma once

#include <string>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Describes, in a few words for people, the first latency inside a host that may be too large by a factor of ten, or
/// is over 1 ms: on a busy machine messages wait for the system's scheduler, a thousand times longer than the message
/// takes. Empty if there is none. Levels with oversubscribed cores are skipped, since their ranks keep the machine busy
/// themselves.
std::string unsure_latency(const Platform& platform);

/// Returns true if any figure of the network has an error.
bool has_errors(const Platform& platform);

/// Returns the platform at the optimistic end of its errors: each latency at the lower end of its interval, each rate
/// at the upper end, all errors 0. A choice that pays on this platform and on the original one pays on the machines, as
/// far as they are known.
Platform at_best(Platform platform);

}  // namespace tombolo
