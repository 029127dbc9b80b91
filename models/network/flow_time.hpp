#pragma once

#include <tombolo/models/network/network.hpp>

namespace tombolo {

/// The time of a flow without concurrent flows: limited by its own maximum rate and by the narrowest of its links.
Picoseconds flow_time(const Network& network, Rank from, Rank to, Flow flow);

}  // namespace tombolo
