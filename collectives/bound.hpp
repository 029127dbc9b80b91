#pragma once

#include <tombolo/collectives/request.hpp>
#include <tombolo/models/hockney.hpp>

namespace tombolo {

/// A time that no plan for the request can beat under the model: what the busiest port must let through, and the
/// latencies that cannot be avoided. Every report can so say how far from the limit a time is.
Picoseconds lower_bound(const Request& request, const Hockney& model);

}  // namespace tombolo
