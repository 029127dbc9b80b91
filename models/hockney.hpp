#pragma once

#include <tombolo/models/model.hpp>

namespace tombolo {

/// The homogeneous Hockney model (Hockney 1994; LMO paper, section 2): M bytes take latency + M / rate between any two
/// ranks, during which the sender can send and the receiver receive nothing else; both can do the other meanwhile
/// (one port, full duplex). Local work takes bytes / memory_rate.
class Hockney : public Model {
 public:
  struct Parameters {
    Picoseconds latency = 0;
    BytesPerSecond rate = 1;
    BytesPerSecond memory_rate = 10'000'000'000;
    Picoseconds longest_latency = 0;  ///< the largest that was measured, where latencies differ
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

 private:
  Parameters parameters_;
};

}  // namespace tombolo
