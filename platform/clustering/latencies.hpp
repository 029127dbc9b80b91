#pragma once

#include <optional>
#include <vector>

#include <tombolo/platform/description/measured.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The measured latencies between hosts, possibly incomplete: symmetric, in picoseconds, without the overheads of the
/// two processors.
class Latencies {
 public:
  explicit Latencies(int hosts);

  int hosts() const { return hosts_; }
  void set(int a, int b, Measured latency);
  /// None if the pair was not measured, and for a == b.
  std::optional<Measured> between(int a, int b) const;

  /// The processor time of a message beside any latency (LogP's o). Smaller differences between latencies do not matter
  /// to a sender. Default: 0.
  void set_overhead(Picoseconds overhead) { overhead_ = overhead; }
  Picoseconds overhead() const { return overhead_; }

 private:
  std::size_t index(int a, int b) const;

  int hosts_;
  Picoseconds overhead_ = 0;
  std::vector<Measured> pairs_;  // value -1: not measured
};

}  // namespace tombolo
