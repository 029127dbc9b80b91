#pragma once

#include <optional>
#include <vector>

#include <tombolo/platform/measured.hpp>

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

 private:
  std::size_t index(int a, int b) const;

  int hosts_;
  std::vector<Measured> pairs_;  // value -1: not measured
};

}  // namespace tombolo
