#pragma once

#include <optional>
#include <vector>

#include <tombolo/models/model.hpp>
#include <tombolo/models/pairs/link_table.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

/// The heterogeneous model of Lastovetsky, Mkwawa and O'Flynn (LMO paper, section 5): M bytes from i to j take
///
///     C_i + M t_i + L_ij + M / beta_ij + M t_j + C_j
///
/// with C and t of every rank; 1 / beta of every pair inside a logical cluster and of every pair of clusters. In the
/// paper L is 0, the wire latency being part of C; this holds here inside clusters. The extended model has L of every
/// pair.
///
/// As costs: the sender's processor is busy for C_i and its port for C_i + M t_i; the receiver's port for M t_j and its
/// processor for C_j; the rest is transit. A linear scatter then takes the time of equation 8 for messages up to the
/// threshold S. A message larger than S occupies the sender's port until its arrival, which is equation 8 for M > S.
/// Equation 8 is that of one switch, so S is known by cluster.
///
/// The fitted t, L and 1 / beta may be negative, 1 / beta in networks with cut-through switching. The parts of a cost
/// are never negative; their sum is that of the equation, or 0 if that is negative.
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
    std::optional<Bytes> serialised_above = {};                ///< S of all pairs
    std::vector<std::optional<Bytes>> serialised_inside = {};  ///< S inside each cluster, if smaller; empty: unknown
    BytesPerSecond memory_rate = 10'000'000'000;
    bool operator==(const Parameters&) const = default;
  };
  /// Throws Error for a negative C or S and a memory rate that is not positive.
  explicit Lmo(Parameters parameters);

  const Parameters& parameters() const { return parameters_; }

  std::string name() const override { return parameters_.extended ? "lmo-extended" : "lmo"; }
  std::string describe() const override;
  /// Throws Error if from equals to.
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, parameters_.memory_rate); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 private:
  Bytes serialised_above(Rank from, Rank to) const;

  Parameters parameters_;
  Picoseconds longest_latency_ = 0;
};

/// LMO's parameters as JSON; pairs inside clusters and between clusters in the order of PairTable:
///
///     {"fixed": [C_0, ...], "variable": [t_0, ...], "serialised_above": 65536,
///      "inside": [{"latency": [L_10, L_20, L_21, ...], "per_megabyte": [...], "serialised_above": 2048}, ...],
///      "between": {...}}
///
/// The model of the paper has no "latency" inside clusters; "serialised_above" is absent if S is unknown.
Json written_lmo(const Lmo::Parameters& parameters);

/// Throws Error for parameters of another model or platform.
Lmo::Parameters read_lmo(const Platform& platform, const Json& parameters, bool extended);

}  // namespace tombolo
