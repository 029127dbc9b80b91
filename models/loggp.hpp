#pragma once

#include <tombolo/models/by_class.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/models/per_byte.hpp>

namespace tombolo {

/// LogGP (Alexandrov et al. 1997; LMO paper, section 2), by class of pairs: M bytes take L + o_s + o_r + (M - 1) G; an
/// empty message counts as one byte.
///
/// As costs: the sender's processor is busy for o_s, both ports for max(g, o_s, o_r) + (M - 1) G each (the receiver's
/// as far as L + o_s is long enough for g), the receiver's processor for o_r.
class LogGP : public Model {
 public:
  struct Figures {
    Picoseconds send_overhead = 0;     ///< o_s
    Picoseconds receive_overhead = 0;  ///< o_r
    Picoseconds latency = 0;           ///< L
    Picoseconds gap = 0;               ///< g
    PerMegabyte gap_per_megabyte = 0;  ///< G, in ps per 10^6 bytes
    bool operator==(const Figures&) const = default;
  };
  /// Throws Error for figures that are negative, a memory rate that is not positive, and classes of the platform
  /// without figures.
  LogGP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate);

  const ByClass<Figures>& figures() const { return figures_; }

  std::string name() const override { return "loggp"; }
  std::string describe() const override;
  /// Throws Error where from and to are the same.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, memory_rate_); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  ByClass<Figures> figures_;
  BytesPerSecond memory_rate_;
  Picoseconds longest_latency_ = 0;
};

}  // namespace tombolo
