#pragma once

#include <tombolo/models/by_class.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/models/piecewise_linear.hpp>

namespace tombolo {

/// Parameterised LogP (Kielmann, Bal and Verstoep 2000; LMO paper, section 2), by class of pairs: M bytes take L +
/// g(M); g and the overheads are piecewise linear in M.
///
/// As costs: the sender's processor is busy for o_s(M), both ports for g(M) each, the receiver's after L; so a flat
/// broadcast takes (P - 1) g + L and a segmented chain (P - 1) (g + L) + (k - 1) g, as in the literature. The
/// receiver's processor is busy at the end for o_r(M), as much of it as fits into L: a port that is busy for g after L
/// - o_r(M), and a processor for o_r(M) after it, keep both the gap and the total. What does not fit is left out.
class PLogP : public Model {
 public:
  struct Figures {
    Picoseconds latency = 0;           ///< L
    PiecewiseLinear gap;               ///< g(M)
    PiecewiseLinear send_overhead;     ///< o_s(M)
    PiecewiseLinear receive_overhead;  ///< o_r(M)
    bool operator==(const Figures&) const = default;
  };
  /// Throws Error for a latency that is negative, a memory rate that is not positive, and classes of the platform
  /// without figures.
  PLogP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate);

  const ByClass<Figures>& figures() const { return figures_; }

  std::string name() const override { return "plogp"; }
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
