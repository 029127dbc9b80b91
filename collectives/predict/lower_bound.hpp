#pragma once

#include <vector>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/network/network.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// What messages may cost less than the platform's figures say, in thousandths of these, as multi-port models know it.
struct Relief {
  /// The rate of concurrent messages of a host, by cluster (PlatformNetwork::Ports); empty: no more than that of one.
  std::vector<int> together = {};
  int synchronous_receive = Network::whole;  ///< the receive overhead, at least (Multiport::Parameters)
};

/// Lower bound on the time of any plan for the request under the model: OperationRules::hockney_bound. Reports use the
/// bound to show the distance of a time from the limit. docs/algorithms.md has the reasons of all bounds.
Picoseconds lower_bound(const Request& request, const Hockney& model);

/// Lower bound on a platform: the largest of
/// - the latency between the two ranks farthest apart with one needing data of the other, by the
///   shortest way, which may lead over clusters of other ranks of the request (over 512 ranks: of some pairs);
/// - the bytes that must enter or leave each host, at the rate of its link, after the latency of those clusters that
///   they come from or go to; the bytes that all hosts together must send, at the sum of their rates;
/// - the bytes that must cross each uplink, unless it is a guess, with an error as large, and each cut (cuts()), after
///   the least latency across;
/// - the bytes of all messages of a cluster with a backbone, or between and out of the children of a group with one;
/// - the time to inform so many ranks or hosts one message after the other, and what relays and prefix networks take
///   (even_network.hpp).
/// Links of unknown rate contribute no bound. The request must hold all counts.
Picoseconds lower_bound(const Request& request, const Platform& platform);

/// Lower bound for a subset of the platform's ranks: rank r of the request is members[r]. Other hosts take no part.
Picoseconds lower_bound(const Request& request, const Platform& platform, const std::vector<Rank>& members,
                        const Relief& relief = {});

}  // namespace tombolo
