#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace tombolo::test {

/// The least seconds of three runs, which other work on the machine disturbs least. To be compared with others of the
/// same test only.
template <class Work>
double least_seconds(const Work& work) {
  double least = std::numeric_limits<double>::max();
  for (int run = 0; run < 3; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

}  // namespace tombolo::test
