#pragma once

#include <algorithm>

#include <tombolo/collectives/mapping/reached_groups.hpp>

namespace tombolo {

/// ECEF that looks one message ahead: least RT_i + g_ij + L_ij + F_j, where F_j comes of onward(j, k) for those k that
/// would still lack the message: `least` of them or the largest, 0 where there are none.
template <class Onward>
GroupTree reach_all_looking_ahead(const GroupProblem& problem, bool least, Onward onward) {
  ReachedGroups reached(problem);
  std::vector<Picoseconds> ahead(static_cast<std::size_t>(problem.groups));
  for (int more = problem.groups - 1; more > 0; --more) {
    for (int j = 0; j < problem.groups; ++j) {
      if (reached.has(j)) continue;
      Picoseconds f = least && more > 1 ? never : 0;
      for (int k = 0; k < problem.groups; ++k) {
        if (k == j || reached.has(k)) continue;
        f = least ? std::min(f, onward(j, k)) : std::max(f, onward(j, k));
      }
      ahead[static_cast<std::size_t>(j)] = f;
    }
    const auto [from, to] =
        reached.least([&](int i, int j) { return plus(reached.arrival(i, j), ahead[static_cast<std::size_t>(j)]); });
    reached.send(from, to);
  }
  return std::move(reached).tree();
}

}  // namespace tombolo
