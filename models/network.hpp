#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Bytes that flow from one rank to another, over what its route shares with others.
struct Flow {
  Bytes bytes = 0;
  int route = -1;           ///< of the model's Network; -1: the message does not flow, its costs say all
  BytesPerSecond most = 0;  ///< that it gets when it is alone; 0: what its links give
  bool operator==(const Flow&) const = default;
};

/// Links that flows share, and the routes over them. Rates are max-min fair with weights: whatever a flow is allowed
/// beyond what another on its narrowest link gets, is in proportion to their weights (Velho and Legrand 2009).
class Network {
 public:
  /// A flow at rate x takes part / 1000 x of a link's rate.
  struct Use {
    int link = 0;
    int part = 1000;
    bool operator==(const Use&) const = default;
  };
  struct Route {
    std::vector<Use> uses;
    std::int64_t weight = 1;  ///< against others on the same link
  };

  int add_link(BytesPerSecond rate) {
    rates_.push_back(rate);
    return static_cast<int>(rates_.size()) - 1;
  }
  int add_route(Route route) {
    routes_.push_back(std::move(route));
    return static_cast<int>(routes_.size()) - 1;
  }
  std::span<const BytesPerSecond> rates() const { return rates_; }
  const Route& route(int index) const { return routes_[static_cast<std::size_t>(index)]; }
  bool empty() const { return routes_.empty(); }

 private:
  std::vector<BytesPerSecond> rates_;
  std::vector<Route> routes_;
};

}  // namespace tombolo
