#pragma once

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/plogp.hpp>

namespace tombolo {

struct PLogPOptions {
  /// Whether every g(M) is measured by saturation; else only g(0), and g(M) = RTT(M) - RTT(0) + g(0) from round trips
  /// with empty answers, which is cheaper and less accurate (LMO paper, section 2).
  bool direct = false;
  Bytes largest = Bytes{1} << 20;
  double tolerance = 0.1;  ///< how far a value may be from the extrapolated one, as a part of it
  /// Of round trips. Precise ones: an indirect gap is the difference of two of them, and where two times are close by
  /// chance, sizes between are asked for in vain.
  Repeat repeat = {.least = 5, .precision = 0.01};
};

/// Sizes that are still to be measured (Kielmann, Bal and Verstoep 2000): (M_k + M_k-1) / 2 for every M_k whose value
/// is not consistent with the line through those of M_k-2 and M_k-1, unless M_k - M_k-1 is at most 32 bytes or
/// `tolerance` of M_k. `nodes` ascend by size.
std::vector<Bytes> sizes_between(std::span<const PiecewiseLinear::Node> nodes, double tolerance);

/// The figures of pLogP by class of pairs, each the median over a few pairs, between clusters of one pair, and one
/// class of these after the other: large messages of several would share the long links, and times would not settle.
/// Sizes are 0, 1, 2, 4, ..., `largest`, and what sizes_between asks for on account of g, o_s or o_r, until it is
/// content. L = RTT(0) / 2 - g(0), where g(0) is at most RTT(0) / 2. Collective.
std::vector<PLogP::Figures> estimate_plogp(const PairClasses& classes, Laboratory& laboratory,
                                           const PLogPOptions& options = {});

/// {"classes": [{"pairs": "c1", "latency": ..., "gap": [[bytes, ps], ...], "send_overhead": ..., "receive_overhead":
/// ...}]}
nlohmann::ordered_json written_plogp(const PLogP& model);

/// Throws Error for parameters that are not of this model and platform.
PLogP read_plogp(const Platform& platform, const nlohmann::ordered_json& parameters);

}  // namespace tombolo
