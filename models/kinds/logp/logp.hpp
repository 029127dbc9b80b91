#pragma once

#include <array>
#include <string>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/kinds/common.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

struct LogPFigures {
  Picoseconds send_overhead = 0;     ///< o_s
  Picoseconds receive_overhead = 0;  ///< o_r
  Picoseconds latency = 0;           ///< L
  Picoseconds gap = 0;               ///< g

  static constexpr auto rows() {
    return std::to_array<FigureRow<LogPFigures>>({
        {"send_overhead", "send overhead", "ps", &LogPFigures::send_overhead},
        {"receive_overhead", "receive overhead", "ps", &LogPFigures::receive_overhead},
        {"latency", "latency", "ps", &LogPFigures::latency},
        {"gap", "gap", "ps", &LogPFigures::gap},
    });
  }
  Picoseconds least_time() const { return plus(plus(send_overhead, latency), receive_overhead); }
  bool operator==(const LogPFigures&) const = default;
};

/// LogP (Culler et al. 1993; separate overheads as in Culler et al. 1996; LMO paper, section 2), by class of pairs.
/// LogP describes messages of one small size w, which take L + o_s + o_r. A larger message counts as k = ceil(M / w)
/// small ones and takes (k - 1) max(g, o_s, o_r) more.
///
/// As costs: the sender's processor is busy for k o_s and its port for k max(g, o_s, o_r). The last small message
/// arrives L + o_s + o_r after its start. The receiver's port has been busy for k gaps by then (as far as they fit into
/// the time until arrival), and its processor for o_r at the end; the overheads of the first k - 1 small messages are
/// within these gaps and omitted.
class LogP final : public ModelByClass<LogPFigures> {
 public:
  /// Throws the errors of ModelByClass, and Error for a size w that is not positive.
  LogP(const Platform& platform, std::vector<Figures> by_class, Bytes size, BytesPerSecond memory_rate);

  /// w, in bytes.
  Bytes size() const { return size_; }

  std::string name() const override { return "logp"; }
  std::string describe() const override;
  /// Throws Error if from equals to.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;

 private:
  Bytes size_;
};

struct LogGPFigures {
  Picoseconds send_overhead = 0;     ///< o_s
  Picoseconds receive_overhead = 0;  ///< o_r
  Picoseconds latency = 0;           ///< L
  Picoseconds gap = 0;               ///< g
  PerMegabyte gap_per_megabyte = 0;  ///< G, in ps per 10^6 bytes

  static constexpr auto rows() {
    return std::to_array<FigureRow<LogGPFigures>>({
        {"send_overhead", "send overhead", "ps", &LogGPFigures::send_overhead},
        {"receive_overhead", "receive overhead", "ps", &LogGPFigures::receive_overhead},
        {"latency", "latency", "ps", &LogGPFigures::latency},
        {"gap", "gap", "ps", &LogGPFigures::gap},
        {"gap_per_megabyte", "gap per byte", "ps per MB", &LogGPFigures::gap_per_megabyte},
    });
  }
  Picoseconds least_time() const { return plus(plus(send_overhead, latency), receive_overhead); }
  bool operator==(const LogGPFigures&) const = default;
};

/// LogGP (Alexandrov et al. 1997; LMO paper, section 2), by class of pairs: M bytes take L + o_s + o_r + (M - 1) G; an
/// empty message counts as one byte.
///
/// As costs: the sender's processor is busy for o_s, both ports for max(g, o_s, o_r) + (M - 1) G each (the receiver's
/// only as far as this fits into the time until arrival), the receiver's processor for o_r.
class LogGP final : public ModelByClass<LogGPFigures> {
 public:
  /// Throws the errors of ModelByClass.
  LogGP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate)
      : ModelByClass(platform, std::move(by_class), memory_rate) {}

  std::string name() const override { return "loggp"; }
  std::string describe() const override;
  /// Throws Error if from equals to.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
};

/// The message size w of LogP: small enough for any eager protocol, large enough to be representative.
constexpr Bytes logp_size = 1024;

/// Estimates LogP's figures for messages of `size` bytes, by class of pairs, each the median over sampled pairs:
/// overheads and latency by measure_small_messages, the gap by measure_gaps. Collective.
std::vector<LogP::Figures> estimate_logp(const PairClasses& classes, Laboratory& laboratory, Bytes size = logp_size);

/// {"size": 1024, "classes": [{"pairs": "c1", "send_overhead": ..., "receive_overhead": ..., "latency": ..., "gap":
/// ...}]}
Json written_logp(const LogP& model);

/// Throws Error for parameters of another model or platform.
LogP read_logp(const Platform& platform, const Json& parameters);

/// The message size of the measurement of G; larger messages are assumed to have the same G.
constexpr Bytes loggp_large = 65536;

/// Estimates LogGP's figures by class of pairs, each the median over sampled pairs (LMO paper, section 2): overheads
/// and latency by measure_small_messages with one byte, and three saturations, of 0, 1 and `large` bytes. g is the mean
/// of the gaps of the first two, which are equal in the model; G = (gap(large) - g) / (large - 1), at least 0. (The
/// paper divides gap(large), including g, by its bytes.) Collective.
std::vector<LogGP::Figures> estimate_loggp(const PairClasses& classes, Laboratory& laboratory,
                                           Bytes large = loggp_large);

/// {"classes": [{"pairs": "c1", "send_overhead": ..., "receive_overhead": ..., "latency": ..., "gap": ...,
/// "gap_per_megabyte": ...}]}
Json written_loggp(const LogGP& model);

/// Throws Error for parameters of another model or platform.
LogGP read_loggp(const Platform& platform, const Json& parameters);

}  // namespace tombolo
