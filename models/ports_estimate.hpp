#pragma once

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/platform_network.hpp>

namespace tombolo {

/// What several messages get together of a host's port, by cluster: see estimate_multiport(). `size` is that of a
/// message whose send does not wait for its receive.
PlatformNetwork::Ports estimate_ports(const Platform& platform, Bytes size, Laboratory& laboratory);

}  // namespace tombolo
