#pragma once

#include <optional>
#include <vector>

#include <tombolo/platform/measured.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The latencies measured between hosts, as far as they were: symmetrical, in picoseconds, without the overheads of the
/// processors at both ends.
class Latencies {
 public:
  explicit Latencies(int hosts);

  int hosts() const { return hosts_; }
  void set(int a, int b, Measured latency);
  /// None where the two were not measured, or are the same.
  std::optional<Measured> between(int a, int b) const;

  /// What a message takes a processor, beside any latency (LogP's o). Latencies that differ by less are alike to
  /// whoever sends messages. 0 unless it is said.
  void set_overhead(Picoseconds overhead) { overhead_ = overhead; }
  Picoseconds overhead() const { return overhead_; }

 private:
  std::size_t index(int a, int b) const;

  int hosts_;
  Picoseconds overhead_ = 0;
  std::vector<Measured> pairs_;  // value -1: not measured
};

}  // namespace tombolo
