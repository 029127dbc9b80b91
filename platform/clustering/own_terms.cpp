#include <algorithm>
#include <cmath>
#include <cstddef>

#include <tombolo/platform/clustering/own_terms.hpp>

namespace tombolo::clustering {

namespace {

struct Term {
  std::size_t other;
  double latency;
  double weight;  // for relative errors: 1 / latency^2
};

}  // namespace

// Gauss-Seidel iteration, clipped at 0. Needs memory for the pairs only. If the solution is not unique, it stays near
// the start, half of the mean latency of each host.
std::vector<double> own_terms(int hosts, std::span<const MeasuredPair> pairs) {
  std::vector<std::vector<Term>> terms(static_cast<std::size_t>(hosts));
  for (const MeasuredPair& pair : pairs) {
    const double latency = std::max(pair.latency, 1.0);
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    terms[a].push_back({b, latency, 1 / (latency * latency)});
    terms[b].push_back({a, latency, 1 / (latency * latency)});
  }
  std::vector<double> own(terms.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    double sum = 0;
    for (const Term& term : terms[i]) sum += term.latency / 2;
    if (!terms[i].empty()) own[i] = sum / static_cast<double>(terms[i].size());
  }

  constexpr int most_sweeps = 3000;
  constexpr double precise = 1e-9;  // relative to the latencies
  bool changing = true;
  for (int sweep = 0; sweep < most_sweeps && changing; ++sweep) {
    changing = false;
    for (std::size_t i = 0; i < own.size(); ++i) {
      double wanted = 0;
      double weights = 0;
      for (const Term& term : terms[i]) {
        wanted += term.weight * (term.latency - own[term.other]);
        weights += term.weight;
      }
      if (weights == 0) continue;
      const double better = std::max(0.0, wanted / weights);
      changing = changing || std::abs(better - own[i]) * std::sqrt(weights) > precise;
      own[i] = better;
    }
  }
  return own;
}

}  // namespace tombolo::clustering
