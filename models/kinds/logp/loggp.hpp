#pragma once

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/fitting/per_byte.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/models/pairs/by_class.hpp>

namespace tombolo {

/// LogGP (Alexandrov et al. 1997; LMO paper, section 2), by class of pairs: M bytes take L + o_s + o_r + (M - 1) G; an
/// empty message counts as one byte.
///
/// As costs: the sender's processor is busy for o_s, both ports for max(g, o_s, o_r) + (M - 1) G each (the receiver's
/// only as far as this fits into the time until arrival), the receiver's processor for o_r.
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
  /// Throws Error for negative figures, a memory rate that is not positive, and classes of the platform without
  /// figures.
  LogGP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate);

  const ByClass<Figures>& figures() const { return figures_; }

  std::string name() const override { return "loggp"; }
  std::string describe() const override;
  /// Throws Error if from equals to.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, memory_rate_); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  ByClass<Figures> figures_;
  BytesPerSecond memory_rate_;
  Picoseconds longest_latency_ = 0;
};

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
nlohmann::ordered_json written_loggp(const LogGP& model);

/// Throws Error for parameters of another model or platform.
LogGP read_loggp(const Platform& platform, const nlohmann::ordered_json& parameters);

}  // namespace tombolo
