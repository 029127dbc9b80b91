#pragma once

#include <tombolo/models/network.hpp>

namespace tombolo {

/// How long a flow takes that has the network to itself: what it may take, or what the narrowest of its links lets.
Picoseconds flow_time(const Network& network, Rank from, Rank to, Flow flow);

}  // namespace tombolo
