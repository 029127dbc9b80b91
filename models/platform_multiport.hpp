#pragma once

#include <tombolo/models/multiport.hpp>

namespace tombolo {

/// The multi-port model of what a platform knows, without measuring more: several messages of a port together get what
/// one gets, acknowledgements cost nothing, and no message waits for its receive. `platform` must outlive it.
Multiport multiport_of(const Platform& platform);

}  // namespace tombolo
