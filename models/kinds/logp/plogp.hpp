#pragma once

#include <array>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/fitting/piecewise_linear.hpp>
#include <tombolo/models/kinds/common.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

struct PLogPFigures {
  Picoseconds latency = 0;           ///< L
  PiecewiseLinear gap;               ///< g(M)
  PiecewiseLinear send_overhead;     ///< o_s(M)
  PiecewiseLinear receive_overhead;  ///< o_r(M)

  static constexpr auto rows() {
    return std::to_array<FigureRow<PLogPFigures>>({{"latency", "latency", "ps", &PLogPFigures::latency}});
  }
  Picoseconds least_time() const { return plus(latency, gap.at(0)); }
  bool operator==(const PLogPFigures&) const = default;
};

/// Parameterised LogP (Kielmann, Bal and Verstoep 2000; LMO paper, section 2), by class of pairs: M bytes take L +
/// g(M); g and the overheads are piecewise linear in M.
///
/// As costs: the sender's processor is busy for o_s(M), both ports for g(M) each, the receiver's port L later. A flat
/// broadcast then takes (P - 1) g + L and a segmented chain (P - 1) (g + L) + (k - 1) g, as in the literature. The
/// receiver's processor is busy at the end for o_r(M), at most L: a port that is busy for g after L - o_r(M), followed
/// by a processor that is busy for o_r(M), keeps both the gap and the total. An excess of o_r(M) over L is omitted.
class PLogP final : public ModelByClass<PLogPFigures> {
 public:
  /// Throws the errors of ModelByClass.
  PLogP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate)
      : ModelByClass(platform, std::move(by_class), memory_rate) {}

  std::string name() const override { return "plogp"; }
  std::string describe() const override;
  /// Throws Error if from equals to.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
};

struct PLogPOptions {
  /// True to measure every g(M) by saturation. Otherwise only g(0) is, and g(M) = RTT(M) - RTT(0) + g(0) from round
  /// trips with empty answers, which is cheaper and less accurate (LMO paper, section 2).
  bool direct = false;
  Bytes largest = Bytes{1} << 20;
  double tolerance = 0.1;  ///< admissible relative deviation from the extrapolated value
  /// Repetitions of round trips. Precise, since an indirect gap is the difference of two of them; with two times close
  /// by chance, useless intermediate sizes would be requested.
  Repeat repeat = {.least = 5, .precision = 0.01};
};

/// Returns the sizes still to be measured (Kielmann, Bal and Verstoep 2000): (M_k + M_k-1) / 2 for every M_k whose
/// value is not consistent with the line through the values of M_k-2 and M_k-1, unless M_k - M_k-1 is at most 32 bytes
/// or `tolerance` of M_k. `nodes` ascend by size.
std::vector<Bytes> sizes_between(std::span<const PiecewiseLinear::Node> nodes, double tolerance);

/// Estimates pLogP's figures by class of pairs, each the median over sampled pairs. Between clusters one pair is
/// measured, one class after the other: concurrent large messages would share the long links, and their times would not
/// converge. Sizes are 0, 1, 2, 4, ..., `largest`, and the results of sizes_between for g, o_s and o_r, until it
/// returns none. L = RTT(0) / 2 - g(0), where g(0) is at most RTT(0) / 2. Collective.
std::vector<PLogP::Figures> estimate_plogp(const PairClasses& classes, Laboratory& laboratory,
                                           const PLogPOptions& options = {});

/// {"classes": [{"pairs": "c1", "latency": ..., "gap": [[bytes, ps], ...], "send_overhead": ..., "receive_overhead":
/// ...}]}
Json written_plogp(const PLogP& model);

/// Throws Error for parameters of another model or platform.
PLogP read_plogp(const Platform& platform, const Json& parameters);

}  // namespace tombolo
