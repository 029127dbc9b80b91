#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/latency_parts.hpp>
#include <tombolo/platform/clustering/measurement_plan.hpp>

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

namespace tombolo {

using namespace clustering;

namespace {

constexpr double of_95_percent = 1.96;  // half width of a 95 % confidence interval, in standard deviations

Measured rounded(double value, double error) {
  return {.value = std::llround(std::max(value, 0.0)), .error = std::llround(error)};
}

// The latencies between two clusters minus the own parts of their hosts.
struct Remainder {
  double sum = 0;
  double squares = 0;  // of the remainders
  double errors = 0;   // sum of squared measurement errors
  double count = 0;

  void add(double value, double error) {
    sum += value;
    squares += value * value;
    errors += error * error;
    ++count;
  }
  double mean() const { return sum / count; }
  // Half width of the 95 % confidence interval of the mean.
  double error() const {
    const double variance = std::max(0.0, squares / count - mean() * mean());
    return std::sqrt(std::max(errors / count, of_95_percent * of_95_percent * variance) / count);
  }
};

class Split {
 public:
  Split(const Latencies& latencies, const HostGroup& groups)
      : latencies_(latencies),
        clusters_(cluster_hosts(groups)),
        cluster_(static_cast<std::size_t>(latencies.hosts()), -1),
        own_(cluster_.size()),
        own_errors_(cluster_.size()) {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      for (const int host : clusters_[c]) cluster_[static_cast<std::size_t>(host)] = static_cast<int>(c);
      find_own(clusters_[c]);
    }
    inside_.resize(clusters_.size());
    find_remainders();
    for (std::size_t c = 0; c < clusters_.size(); ++c) make_room(c);
    find_remainders();
  }

  LatencyParts parts() const {
    LatencyParts parts;
    for (std::size_t i = 0; i < own_.size(); ++i) parts.own.push_back(rounded(own_[i], own_errors_[i]));
    for (const double value : inside_) parts.inside.push_back(rounded(value, 0));
    const int number = static_cast<int>(clusters_.size());
    for (int a = 0; a < number; ++a) {
      for (int b = a + 1; b < number; ++b) parts.between.push_back(between(a, b));
    }
    return parts;
  }

 private:
  void find_own(const std::vector<int>& hosts) {
    std::vector<MeasuredPair> pairs;
    std::vector<Remainder> seen(hosts.size());  // by host: residuals of the fit
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      for (std::size_t j = i + 1; j < hosts.size(); ++j) {
        const auto found = latencies_.between(hosts[i], hosts[j]);
        if (found) pairs.push_back({static_cast<int>(i), static_cast<int>(j), static_cast<double>(found->value)});
      }
    }
    if (pairs.empty()) return;
    const std::vector<double> own = own_terms(static_cast<int>(hosts.size()), pairs);
    for (const MeasuredPair& pair : pairs) {
      const auto a = static_cast<std::size_t>(pair.a);
      const auto b = static_cast<std::size_t>(pair.b);
      const auto error = static_cast<double>(latencies_.between(hosts[a], hosts[b])->error);
      const double missed = of_95_percent * (own[a] + own[b] - pair.latency);
      for (const std::size_t host : {a, b}) {
        seen[host].errors += error * error;
        seen[host].squares += missed * missed;
        ++seen[host].count;
      }
    }
    set_own(hosts, own, seen);
  }

  void set_own(const std::vector<int>& hosts, const std::vector<double>& own, const std::vector<Remainder>& seen) {
    double sum = 0;
    double errors = 0;
    double known = 0;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      if (seen[i].count == 0) continue;
      const auto host = static_cast<std::size_t>(hosts[i]);
      own_[host] = own[i];
      // For n hosts with all pairs measured, the variance is nearly that of a pair divided by n - 2.
      const double spare = std::max(1.0, seen[i].count - 1);
      own_errors_[host] = std::sqrt(std::max(seen[i].errors, seen[i].squares) / (seen[i].count * spare));
      sum += own_[host];
      errors += own_errors_[host];
      ++known;
    }
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      if (seen[i].count > 0) continue;
      own_[static_cast<std::size_t>(hosts[i])] = sum / known;
      own_errors_[static_cast<std::size_t>(hosts[i])] = errors / known;
    }
  }

  void find_remainders() {
    const int number = static_cast<int>(clusters_.size());
    remainders_.assign(clusters_.size() * (clusters_.size() - std::min<std::size_t>(clusters_.size(), 1)) / 2, {});
    for (int i = 0; i < latencies_.hosts(); ++i) {
      for (int j = i + 1; j < latencies_.hosts(); ++j) {
        const int a = cluster_[static_cast<std::size_t>(i)];
        const int b = cluster_[static_cast<std::size_t>(j)];
        if (a < 0 || b < 0 || a == b) continue;
        const auto found = latencies_.between(i, j);
        if (!found) continue;
        const double own = own_[static_cast<std::size_t>(i)] + own_[static_cast<std::size_t>(j)];
        remainders_[link_index(a, b, number)].add(static_cast<double>(found->value) - own,
                                                  static_cast<double>(found->error));
      }
    }
  }

  // If own parts exceed the latency to another cluster, moves a part of them into `inside`: half of the deficit, since
  // the other cluster moves the other half; all of it if the other cluster is a single host, which has nothing to move.
  void make_room(std::size_t cluster) {
    double missing = 0;
    for (std::size_t other = 0; other < clusters_.size(); ++other) {
      if (other == cluster) continue;
      const Remainder& link = remainders_[link_index(static_cast<int>(cluster), static_cast<int>(other),
                                                     static_cast<int>(clusters_.size()))];
      if (link.count == 0 || link.mean() >= 0) continue;
      missing = std::max(missing, clusters_[other].size() > 1 ? -link.mean() / 2 : -link.mean());
    }
    for (const int host : clusters_[cluster]) missing = std::min(missing, own_[static_cast<std::size_t>(host)]);
    if (missing <= 0) return;
    for (const int host : clusters_[cluster]) own_[static_cast<std::size_t>(host)] -= missing;
    inside_[cluster] = 2 * missing;
  }

  Measured between(int a, int b) const {
    const int number = static_cast<int>(clusters_.size());
    const Remainder& direct = remainders_[link_index(a, b, number)];
    if (direct.count > 0) {
      return rounded(direct.mean(), std::hypot(direct.error(), mean_error(a), mean_error(b)));
    }
    double shortest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < number; ++k) {
      if (k == a || k == b) continue;
      const Remainder& there = remainders_[link_index(a, k, number)];
      const Remainder& back = remainders_[link_index(k, b, number)];
      if (there.count == 0 || back.count == 0) continue;
      shortest = std::min(shortest, std::max(there.mean(), 0.0) + std::max(back.mean(), 0.0));
    }
    // The direct path may be shorter by an unknown amount, hence the error of 100 %.
    return std::isinf(shortest) ? Measured{} : rounded(shortest, shortest);
  }

  // Returns the contribution of a cluster's own parts, averaged as well, to the error of a mean over its hosts.
  double mean_error(int cluster) const {
    const std::vector<int>& hosts = clusters_[static_cast<std::size_t>(cluster)];
    double squares = 0;
    for (const int host : hosts) squares += std::pow(own_errors_[static_cast<std::size_t>(host)], 2);
    return std::sqrt(squares) / static_cast<double>(hosts.size());
  }

  const Latencies& latencies_;
  std::vector<std::vector<int>> clusters_;
  std::vector<int> cluster_;  // by host
  std::vector<double> own_;
  std::vector<double> own_errors_;
  std::vector<double> inside_;
  std::vector<Remainder> remainders_;  // by link
};

}  // namespace

LatencyParts split_latencies(const Latencies& latencies, const HostGroup& groups) {
  return Split(latencies, groups).parts();
}

}  // namespace tombolo
