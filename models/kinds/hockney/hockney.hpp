#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/fitting/least_squares.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// The homogeneous Hockney model (Hockney 1994; LMO paper, section 2): M bytes take latency + M / rate between any two
/// ranks. During this time the sender's outgoing port and the receiver's incoming port are busy (one port, full
/// duplex). Local work takes bytes / memory_rate.
class Hockney : public Model {
 public:
  struct Parameters {
    Picoseconds latency = 0;
    BytesPerSecond rate = 1;
    BytesPerSecond memory_rate = 10'000'000'000;
    Picoseconds longest_latency = 0;  ///< the largest measured latency, if latencies differ
    bool operator==(const Parameters&) const = default;
  };
  /// Throws Error for a negative latency or a rate that is not positive.
  explicit Hockney(Parameters parameters);

  const Parameters& parameters() const { return parameters_; }
  /// latency + bytes / rate, rounded up to a picosecond.
  Picoseconds time(Bytes bytes) const;

  std::string name() const override { return "hockney"; }
  std::string describe() const override;
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override;
  Picoseconds longest_latency() const override;
  bool is_uniform() const override { return true; }

 private:
  Parameters parameters_;
};

/// Message sizes for the fit of Hockney's parameters (LMO paper, section 6: 10 sizes from 0 to 100 kB).
constexpr std::array<Bytes, 10> hockney_sizes = {0,      1'000,  2'000,  5'000,  10'000,
                                                 20'000, 40'000, 60'000, 80'000, 100'000};

/// Returns a line for each pair: half the round trip times of hockney_sizes, in ps by bytes, by relative least squares.
/// Latencies and slopes are at least 0. Collective.
std::vector<Line> measure_hockney(std::span<const std::pair<Rank, Rank>> pairs, Laboratory& laboratory);

/// Estimates the homogeneous model of a platform: the medians of latency and slope over at most 256 pairs, at rank
/// distances 1, 2, 4, ..., spread evenly over the ranks. Collective.
Hockney::Parameters estimate_hockney(const Platform& platform, Laboratory& laboratory);

/// Derives one homogeneous Hockney model from a platform: medians of the latency, including the processors' overheads
/// at both ends, and of the rate. The sample has the rank distances 1, 2, 4, ... and the neighbours, which are the
/// pairs that trees and chains use. Without a known rate the memory rate is used.
Hockney hockney_of(const Platform& platform);

}  // namespace tombolo
