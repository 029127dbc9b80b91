#pragma once

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/models/pairs/by_class.hpp>

namespace tombolo {

/// LogP (Culler et al. 1993; separate overheads as in Culler et al. 1996; LMO paper, section 2), by class of pairs.
/// LogP describes messages of one small size w, which take L + o_s + o_r. A larger message counts as k = ceil(M / w)
/// small ones and takes (k - 1) max(g, o_s, o_r) more.
///
/// As costs: the sender's processor is busy for k o_s and its port for k max(g, o_s, o_r). The last small message
/// arrives L + o_s + o_r after its start. The receiver's port has been busy for k gaps by then (as far as they fit into
/// the time until arrival), and its processor for o_r at the end; the overheads of the first k - 1 small messages are
/// within these gaps and omitted.
class LogP : public Model {
 public:
  struct Figures {
    Picoseconds send_overhead = 0;     ///< o_s
    Picoseconds receive_overhead = 0;  ///< o_r
    Picoseconds latency = 0;           ///< L
    Picoseconds gap = 0;               ///< g
    bool operator==(const Figures&) const = default;
  };
  /// Throws Error for negative figures, a size w or a memory rate that is not positive, and classes of the platform
  /// without figures.
  LogP(const Platform& platform, std::vector<Figures> by_class, Bytes size, BytesPerSecond memory_rate);

  const ByClass<Figures>& figures() const { return figures_; }
  /// w, in bytes.
  Bytes size() const { return size_; }

  std::string name() const override { return "logp"; }
  std::string describe() const override;
  /// Throws Error if from equals to.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, memory_rate_); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  ByClass<Figures> figures_;
  Bytes size_;
  BytesPerSecond memory_rate_;
  Picoseconds longest_latency_ = 0;
};

/// The message size w of LogP: small enough for any eager protocol, large enough to be representative.
constexpr Bytes logp_size = 1024;

/// Estimates LogP's figures for messages of `size` bytes, by class of pairs, each the median over sampled pairs:
/// overheads and latency by measure_small_messages, the gap by measure_gaps. Collective.
std::vector<LogP::Figures> estimate_logp(const PairClasses& classes, Laboratory& laboratory, Bytes size = logp_size);

/// {"size": 1024, "classes": [{"pairs": "c1", "send_overhead": ..., "receive_overhead": ..., "latency": ..., "gap":
/// ...}]}
nlohmann::ordered_json written_logp(const LogP& model);

/// Throws Error for parameters of another model or platform.
LogP read_logp(const Platform& platform, const nlohmann::ordered_json& parameters);

}  // namespace tombolo
