#pragma once

#include <vector>

#include <tombolo/collectives/request.hpp>
#include <tombolo/models/hockney.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// A time that no plan for the request can beat under the model: what the busiest port must let through, and the
/// latencies that cannot be avoided. Every report can so say how far from the limit a time is.
Picoseconds lower_bound(const Request& request, const Hockney& model);

/// The same on a platform: the largest of
/// - the latency between the two ranks farthest apart of which one needs what the other has;
/// - what must enter and leave (crossing.hpp) each host, at the rate of its link, and each group of hosts behind an
///   uplink, at the uplink's, after the least latency;
/// - what must pass between two parts of the clusters (cuts.hpp), at the rate of all links between them together;
/// - what all hosts together must send, at the sum of their rates.
/// Where a rate is not known nothing is said of that link. No message is supposed to travel faster by way of a third
/// rank. The request must hold all counts.
Picoseconds lower_bound(const Request& request, const Platform& platform);

/// The same among some ranks of the platform: rank r of the request is members[r]. Only their hosts take part.
Picoseconds lower_bound(const Request& request, const Platform& platform, const std::vector<Rank>& members);

}  // namespace tombolo
