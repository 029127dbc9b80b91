#pragma once

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/loggp.hpp>

namespace tombolo {

/// The size M that G is measured with; beyond it, messages are taken to go on alike.
constexpr Bytes loggp_large = 65536;

/// The figures of LogGP by class of pairs, each the median over a few pairs (LMO paper, section 2): overheads and
/// latency by measure_small_messages with one byte; three saturations, of 0, 1 and `large` bytes: g is the mean of the
/// gaps of the first two, which the model cannot tell apart, and G = (gap(large) - g) / (large - 1), at least 0. (The
/// paper divides gap(large) by its bytes, g included.) Collective.
std::vector<LogGP::Figures> estimate_loggp(const PairClasses& classes, Laboratory& laboratory,
                                           Bytes large = loggp_large);

/// {"classes": [{"pairs": "c1", "send_overhead": ..., "receive_overhead": ..., "latency": ..., "gap": ...,
///   "gap_per_megabyte": ...}]}
nlohmann::ordered_json written_loggp(const LogGP& model);

/// Throws Error for parameters that are not of this model and platform.
LogGP read_loggp(const Platform& platform, const nlohmann::ordered_json& parameters);

}  // namespace tombolo
