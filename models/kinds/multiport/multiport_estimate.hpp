#pragma once

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>

namespace tombolo {

/// Measures the parameters missing from the platform: message protocols, and the rates of ports under concurrent
/// messages.
///
/// By class of pairs, on one pair: the largest message whose send does not wait for its receive (sends to a late
/// receiver, bisection); the extra time of larger messages (round trips of four sizes around the limit); the time
/// between a late receive and the arrival of a small and of a large message. By cluster, on one host and two partners:
/// the total rate of two messages from one port (one-to-two), and the rates of two messages in opposite directions
/// (exchange).
Multiport::Parameters estimate_multiport(const Platform& platform, Laboratory& laboratory);

}  // namespace tombolo
