#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// The bytes of a message that flow over shared links.
struct Flow {
  Bytes bytes = 0;  ///< 0: no flow; the other costs cover the message
  /// Maximum rate without concurrent flows; 0: limited by the links only.
  BytesPerSecond most = 0;
  bool operator==(const Flow&) const = default;
};

/// Shared directed links, and the route of each message over them.
class Network {
 public:
  /// A flow at rate x uses x * part / whole of a link's rate.
  static constexpr int whole = 1000;
  struct Use {
    int link = 0;
    int part = whole;
    bool operator==(const Use&) const = default;
  };
  struct Route {
    std::vector<Use> uses;
    std::int64_t weight = 1;  ///< share against other unsatisfied flows on a link; 1 to 2^20
  };

  virtual ~Network() = default;
  /// By link.
  const std::vector<BytesPerSecond>& rates() const { return rates_; }
  Route route(Rank from, Rank to) const {
    Route route;
    find_route(from, to, route);
    return route;
  }
  /// Writes the route into `route`, whose memory is reused.
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
