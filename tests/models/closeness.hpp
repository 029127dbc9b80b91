#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/models/model.hpp>

/// Noise of a made-up machine, and how far what is estimated there may be off, both as parts.
struct Allowance {
  double percent;
  double most;
};

constexpr std::array<Allowance, 3> allowances = {{{0, 0.001}, {1, 0.02}, {5, 0.08}}};

/// How far a figure is from what it should be, as a part of that, or of `whole` where it is a small part of a whole.
inline double off(std::int64_t found, std::int64_t wanted, std::int64_t whole = 0) {
  const auto scale = std::max<double>({std::abs(static_cast<double>(wanted)), static_cast<double>(whole), 1000.0});
  return std::abs(static_cast<double>(found) - static_cast<double>(wanted)) / scale;
}

/// How far two models' times for single messages are apart at most, over all pairs of at most 16 ranks and these sizes.
inline double times_off(const tombolo::Model& found, const tombolo::Model& wanted, int ranks,
                        const std::vector<tombolo::Bytes>& sizes) {
  double worst = 0;
  for (tombolo::Rank a = 0; a < std::min(ranks, 16); ++a) {
    for (tombolo::Rank b = 0; b < std::min(ranks, 16); ++b) {
      if (a == b) continue;
      for (const tombolo::Bytes size : sizes) {
        worst = std::max(worst, off(message_time(found, a, b, size), message_time(wanted, a, b, size)));
      }
    }
  }
  return worst;
}

/// Whether two models give the same costs, to the picosecond.
inline bool same_costs(const tombolo::Model& one, const tombolo::Model& other, int ranks) {
  for (tombolo::Rank a = 0; a < ranks; ++a) {
    for (tombolo::Rank b = 0; b < ranks; ++b) {
      if (a == b) continue;
      for (const tombolo::Bytes size : {0, 1, 1000, 70'000, 3'000'000}) {
        const tombolo::MessageCost x = one.message(a, b, size);
        const tombolo::MessageCost y = other.message(a, b, size);
        if (x.overhead != y.overhead || x.send != y.send || x.transit != y.transit || x.receive != y.receive ||
            x.receive_overhead != y.receive_overhead) {
          return false;
        }
      }
    }
  }
  return one.local(12345) == other.local(12345) && one.longest_latency() == other.longest_latency();
}

/// The worst of something by noise; TOMBOLO_FIGURES=1 prints it.
class Worst {
 public:
  explicit Worst(std::string what) : what_(std::move(what)) {}
  ~Worst() {
    if (std::getenv("TOMBOLO_FIGURES") == nullptr) return;
    for (std::size_t i = 0; i < worst_.size(); ++i) {
      std::cerr << fmt::format("{:40} {:3} % noise: {:.3f} %\n", what_, allowances[i].percent, worst_[i] * 100);
    }
  }
  Worst(const Worst&) = delete;
  Worst& operator=(const Worst&) = delete;
  void add(std::size_t allowance, double off) { worst_[allowance] = std::max(worst_[allowance], off); }

 private:
  std::string what_;
  std::array<double, allowances.size()> worst_ = {};
};
