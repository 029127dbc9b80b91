#pragma once

#include <optional>
#include <vector>

#include <tombolo/models/link_table.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// The heterogeneous model of Lastovetsky, Mkwawa and O'Flynn (LMO paper, section 5): M bytes from i to j take
///
///     C_i + M t_i + L_ij + M / beta_ij + M t_j + C_j
///
/// C and t of every rank; 1 / beta of every pair inside a logical cluster and every pair of clusters. In the paper L is
/// 0 and the wire is in C; here that holds inside clusters. The extended model has L of every pair.
///
/// As costs: the sender's processor is busy for C_i, its port for C_i + M t_i; the receiver's port for M t_j, its
/// processor for C_j; all else is transit. So a linear scatter takes what equation 8 says for messages up to the
/// threshold S. A larger one keeps the sender's port until it has arrived, which is equation 8 for M > S.
///
/// t, L and 1 / beta are what fits and may be negative, 1 / beta so in networks that cut through; no part of a cost is,
/// and their sum is kept as far as it is not negative.
class Lmo : public Model {
 public:
  struct Delays {
    Picoseconds fixed = 0;         ///< C
    PerMegabyte per_megabyte = 0;  ///< t, in ps per 10^6 bytes
    bool operator==(const Delays&) const = default;
  };
  struct Parameters {
    std::vector<Delays> processors = {};  ///< by rank
    LinkTable links;                      ///< L and 1 / beta
    bool extended = false;
    std::optional<Bytes> serialised_above = {};  ///< S
    BytesPerSecond memory_rate = 10'000'000'000;
    bool operator==(const Parameters&) const = default;
  };
  /// Throws Error for a C or S that is negative and a memory rate that is not positive.
  explicit Lmo(Parameters parameters);

  const Parameters& parameters() const { return parameters_; }

  std::string name() const override { return parameters_.extended ? "lmo-extended" : "lmo"; }
  std::string describe() const override;
  /// Throws Error where from and to are the same.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, parameters_.memory_rate); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  Parameters parameters_;
  Picoseconds longest_latency_ = 0;
};

}  // namespace tombolo
