#pragma once

#include <functional>

#include <tombolo/collectives/request.hpp>

namespace tombolo {

/// Some of a request's ranks: those of a host, of a cluster.
using Among = std::function<bool(Rank)>;

/// Bytes that have to pass between some ranks and all the others, whatever the plan: what each side needs of the other,
/// combined as far as it can be.
struct Crossing {
  Bytes out = 0;  ///< from them to the others
  Bytes in = 0;
  bool operator==(const Crossing&) const = default;
};

/// The request must hold all counts. In time proportional to its ranks, for a total exchange of unequal blocks to their
/// square.
Crossing crossing(const Request& request, const Among& among);

}  // namespace tombolo
