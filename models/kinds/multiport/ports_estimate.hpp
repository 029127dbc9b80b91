#pragma once

#include <string>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>

namespace tombolo {

/// The part of estimate_multiport() for what concurrent messages get and take, in ports of hosts and of links between
/// clusters, by cluster and by link. `model`: with the protocols of messages. Adds what there is no time for to
/// `left_out`.
PlatformNetwork::Ports estimate_ports(const Platform& platform, const Multiport& model, Laboratory& laboratory,
                                      std::vector<std::string>& left_out);

}  // namespace tombolo
