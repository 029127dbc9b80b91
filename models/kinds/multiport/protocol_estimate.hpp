#pragma once

#include <vector>

#include <tombolo/models/experiments/eager_limits.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>

namespace tombolo {

/// The protocols of some pairs of ranks.
struct Protocols {
  std::vector<Multiport::Protocol> of_pairs;
  int synchronous_receive = Network::whole;  ///< as in Multiport::Parameters
  int guessed = 0;  ///< pairs whose eager limit is that of their kind, without a sign that it is
};

/// The part of estimate_multiport() for one message at a time: eager limits, handshakes, and messages whose receiver is
/// late. Pairs that there is no time for are like others of their kind, inside hosts or between hosts.
Protocols estimate_protocols(const std::vector<SampledPair>& pairs, Laboratory& laboratory);

}  // namespace tombolo
