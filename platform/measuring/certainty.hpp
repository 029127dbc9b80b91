#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Describes, in a few words for people, the first latency inside a host that may be too large by a factor of ten and
/// over 0.1 ms, or is over 1 ms: on a busy machine messages wait for the system's scheduler, a thousand times longer
/// than the message takes. Empty if there is none. Levels with oversubscribed cores are skipped, since their ranks keep
/// the machine busy themselves.
std::string unsure_latency(const Platform& platform);

/// Returns pairs of ranks whose messages tell whether a platform is still as described: of neighbouring clusters, of
/// neighbouring hosts, and two ranks of each host, unless ranks outnumber its cores. At most twice as many as hosts; a
/// rank is in a few of them.
std::vector<std::pair<Rank, Rank>> neighbours(const Platform& platform);

/// Describes, in a few words for people, the first of these pairs, which are neighbours(), whose messages take another
/// time than the platform says; empty if there is none. `round_trips` are those of empty messages, by pair. A busy
/// machine makes messages late, and none makes them early: a third of the time is a change, if the difference counts
/// beside the longest latency. Three times as much is one between hosts only, and with milliseconds on top.
std::string changed_latency(const Platform& platform, std::span<const std::pair<Rank, Rank>> pairs,
                            std::span<const Measured> round_trips);

/// Returns true if any figure of the network has an error.
bool has_errors(const Platform& platform);

/// Returns the platform at the optimistic end of its errors: each latency at the lower end of its interval, each rate
/// at the upper end, all errors 0. A choice that pays on this platform and on the original one pays on the machines, as
/// far as they are known.
Platform at_best(Platform platform);

}  // namespace tombolo
