#include <algorithm>
#include <cmath>

#include <tombolo/platform/simgrid/together.hpp>

namespace tombolo::simgrid {

BytesPerSecond Together::rate(const std::vector<int>& from, const std::vector<int>& to) {
  const std::size_t flows = std::min(from.size(), to.size());
  const Network& network = fabric_.network();
  const auto count = [&](int sign) {
    for (std::size_t f = 0; f < flows; ++f) {
      for (const int wire : fabric_.route(from[f], to[f])) messages_[static_cast<std::size_t>(wire)] += sign;
    }
  };
  count(1);
  // In doubles: no sum of parts of 10^18 fits an integer exactly. What it gives is rounded to whole bytes.
  double sum = 0;
  bool limited = true;
  for (std::size_t f = 0; f < flows; ++f) {
    auto part = static_cast<double>(unlimited);
    for (const int wire : fabric_.route(from[f], to[f])) {
      const Wire& on_way = network.wire(wire);
      if (on_way.rate == unlimited) continue;
      const int sharers = on_way.shared ? messages_[static_cast<std::size_t>(wire)] : 1;
      part = std::min(part, static_cast<double>(on_way.rate) / sharers);
    }
    limited = limited && part < static_cast<double>(unlimited);
    sum += part;
  }
  count(-1);
  constexpr double most = 9e18;
  return limited && sum < most ? std::llround(sum) : unlimited;
}

}  // namespace tombolo::simgrid
