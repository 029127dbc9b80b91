#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Bytes of a message that flow over what its route shares with others.
struct Flow {
  Bytes bytes = 0;  ///< 0: nothing flows, the other costs say all
  /// That it gets when it is alone; 0: whatever its links give.
  BytesPerSecond most = 0;
  bool operator==(const Flow&) const = default;
};

/// Links that flows share, and which of them a message takes. Each link has a direction.
class Network {
 public:
  /// A flow at rate x takes x * part / whole of a link's rate.
  static constexpr int whole = 1000;
  struct Use {
    int link = 0;
    int part = whole;
    bool operator==(const Use&) const = default;
  };
  struct Route {
    std::vector<Use> uses;
    std::int64_t weight = 1;  ///< against other flows on a link that all want more of; 1 to 2^20
  };

  virtual ~Network() = default;
  /// By link.
  const std::vector<BytesPerSecond>& rates() const { return rates_; }
  Route route(Rank from, Rank to) const {
    Route route;
    find_route(from, to, route);
    return route;
  }
  /// The same, in the place of what was there, whose memory is used again.
  virtual void find_route(Rank from, Rank to, Route& route) const = 0;

 protected:
  int add_link(BytesPerSecond rate) {
    rates_.push_back(rate);
    return static_cast<int>(rates_.size()) - 1;
  }

 private:
  std::vector<BytesPerSecond> rates_;
};

}  // namespace tombolo
