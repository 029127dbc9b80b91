#pragma once

#include <tombolo/models/by_class.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// LogP (Culler et al. 1993; overheads apart as in Culler et al. 1996; LMO paper, section 2), by class of pairs. It
/// knows messages of one small size w only, which take L + o_s + o_r; what is larger travels as k = ceil(M / w) of
/// these, and takes (k - 1) max(g, o_s, o_r) more.
///
/// As costs: the sender's processor is busy for k o_s, its port for k max(g, o_s, o_r). The last of the k is at the
/// receiver after L + o_s more, whose port then has been busy for k gaps too (as far as the way is long enough), and
/// takes the receiver's processor o_r. What that did for the k - 1 before is within these gaps and not said.
class LogP : public Model {
 public:
  struct Figures {
    Picoseconds send_overhead = 0;     ///< o_s
    Picoseconds receive_overhead = 0;  ///< o_r
    Picoseconds latency = 0;           ///< L
    Picoseconds gap = 0;               ///< g
    bool operator==(const Figures&) const = default;
  };
  /// Throws Error for figures that are negative, a size w or a memory rate that is not positive, and classes of the
  /// platform without figures.
  LogP(const Platform& platform, std::vector<Figures> by_class, Bytes size, BytesPerSecond memory_rate);

  const ByClass<Figures>& figures() const { return figures_; }
  /// w, in bytes.
  Bytes size() const { return size_; }

  std::string name() const override { return "logp"; }
  std::string describe() const override;
  /// Throws Error where from and to are the same.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, memory_rate_); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  ByClass<Figures> figures_;
  Bytes size_;
  BytesPerSecond memory_rate_;
  Picoseconds longest_latency_ = 0;
};

}  // namespace tombolo
