#pragma once

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/logp.hpp>

namespace tombolo {

/// The size w of the messages that LogP is about: small enough for any eager protocol, large enough to say something.
constexpr Bytes logp_size = 1024;

/// The figures of LogP for messages of so many bytes, by class of pairs, each the median over a few pairs: overheads
/// and latency by measure_small_messages, the gap by measure_gaps. Collective.
std::vector<LogP::Figures> estimate_logp(const PairClasses& classes, Laboratory& laboratory, Bytes size = logp_size);

/// {"size": 1024, "classes": [{"pairs": "c1", "send_overhead": ..., "receive_overhead": ..., "latency": ..., "gap":
/// ...}]}
nlohmann::ordered_json written_logp(const LogP& model);

/// Throws Error for parameters that are not of this model and platform.
LogP read_logp(const Platform& platform, const nlohmann::ordered_json& parameters);

}  // namespace tombolo
