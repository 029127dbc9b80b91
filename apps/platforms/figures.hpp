#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

#include "output.hpp"

namespace tombolo::showing {

// Figures for people, with four digits: "125 MB/s", "4.4 Gflop/s"; "-" where there is none.
std::string in_thousands(std::int64_t value, const std::string& unit);
std::string rate(BytesPerSecond value);
std::string speed(FlopsPerSecond value);

// With the confidence interval of measured ones: "24.2 us +- 130 ns".
std::string latency(const Measured& value);
std::string rate(const Measured& value);

/// The least and the largest of some figures.
struct Range {
  std::int64_t least = 0;
  std::int64_t most = 0;
  bool any = false;

  void add(std::int64_t value) {
    least = any ? std::min(least, value) : value;
    most = any ? std::max(most, value) : value;
    any = true;
  }

  /// "24 us", or "24 us to 30 us" where both ends look different.
  template <class Show>
  std::string text(Show show) const {
    if (!any) return "-";
    const std::string low = show(least);
    const std::string high = show(most);
    return low == high ? low : low + " to " + high;
  }
};

/// Names that follow each other, folded: "c1-0 ... c1-19"; "a, b". `places` are ascending numbers into `names`.
std::string folded(const std::vector<std::string>& names, const std::vector<std::size_t>& places);

}  // namespace tombolo::showing
