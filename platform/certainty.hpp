#pragma once

#include <string>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// In a few words, for people, which latency inside a host may be ten times less than it says: the machine was busy
/// when it was measured, so that messages waited for the system's scheduler, a thousand times longer than they take.
/// Empty where there is none. Of ranks that are more than their cores nothing is said: they keep the machine busy
/// themselves.
std::string unsure_latency(const Platform& platform);

/// Whether any figure of the network has an error.
bool has_errors(const Platform& platform);

/// The same platform as good as its errors allow: each latency at the lower end of its interval, each rate at the upper
/// one, all of them exact. What is worth doing on both is worth doing on the machines, as far as they are known.
Platform at_best(Platform platform);

}  // namespace tombolo
