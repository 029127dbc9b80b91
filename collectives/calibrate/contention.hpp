#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/calibrate/shared_links.hpp>
#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// The slowdown of an alltoall on a network over its lower bound: the contention signature of Steffenel, Martinasso and
/// Trystram ("Assessing Contention Effects on MPI_Alltoall Communications", 2007).
struct ContentionSignature {
  Picoseconds latency = 0;               ///< alpha, of one message
  BytesPerSecond rate = 1;               ///< 1 / beta, of one message
  Millionths gamma = one_in_millionths;  ///< the contention ratio
  Picoseconds delta = 0;                 ///< extra cost of each large block
  Bytes threshold = 0;                   ///< M: the least size of a large block
  bool operator==(const ContentionSignature&) const = default;
};

/// Returns alpha and 1 / beta of an alltoall among these ranks, two or more, without contention (gamma 1, delta 0): the
/// medians over neighbours. alpha is the overhead of a message at both processors: all messages of a direct alltoall
/// are in flight together, so that the latency passes once.
ContentionSignature uncontended(const Platform& platform, std::span<const Rank> ranks);

/// Returns (n - 1) (alpha + m beta gamma), plus (n - 1) delta for m >= M: equations 4 (delta 0) and 5, for n = `ranks`
/// and blocks of m = `bytes`. With gamma 1 and delta 0, the lower bound of proposition 1.
Picoseconds contended_alltoall(const ContentionSignature& signature, int ranks, Bytes bytes);

/// The measured time of an alltoall: `ranks` ranks with equal blocks of `bytes` each.
struct AlltoallSample {
  int ranks = 0;
  Bytes bytes = 0;
  Picoseconds time = 0;
};

/// Fits the contention signature of a network by section 6 of Steffenel, Martinasso and Trystram (2007). gamma and
/// delta by generalised least squares (errors in proportion to times); M is the size among the samples with the least
/// residual; no delta if it explains no more than chance would. alpha and beta are those of messages between two ranks.
///
/// Throws Error unless the samples are of one number of ranks, which should saturate the network, and of at least four
/// sizes. In floating point, rounded: one rank fits and the others take its result.
ContentionSignature fit_contention(Picoseconds latency, BytesPerSecond rate, std::span<const AlltoallSample> samples);

/// The contention signature for networks of more than one switch, with a term for each shared link instead of m beta
/// gamma:
///
///     T = (n - 1) (alpha + delta [m >= M]) + max over links l of gamma_l bytes_l / rate_l
///
/// with one gamma for each kind of link, and bytes_l from shared_links().
struct LinkContention {
  Picoseconds latency = 0;  ///< alpha
  std::array<Millionths, link_kinds> gamma = {one_in_millionths, one_in_millionths,
                                              one_in_millionths};  ///< by LinkKind
  Picoseconds delta = 0;
  Bytes threshold = 0;  ///< M
  bool operator==(const LinkContention&) const = default;
};

/// Returns the time of an alltoall among `ranks` ranks with blocks of `bytes` and these link loads (shared_links.hpp).
Picoseconds contended_alltoall(const LinkContention& contention, int ranks, Bytes bytes, const LinkLoads& loads);

/// The measured time of an alltoall, with its link loads at gamma 1.
struct LoadedSample {
  int ranks = 0;
  Bytes bytes = 0;
  LinkLoads loads = {};
  Picoseconds time = 0;
};

/// Fits the gamma of each kind, delta and M as fit_contention() does; numbers of ranks may differ. A kind that is never
/// the bottleneck of a sample has gamma 1. Throws Error for fewer than four samples.
LinkContention fit_link_contention(Picoseconds latency, std::span<const LoadedSample> samples);

/// The section of a platform file with the contention signatures.
constexpr const char* contention_section = "contention";

/// The contention fitted to direct alltoalls among ranks of a scope (scopes.hpp).
struct ScopeContention {
  std::string scope;
  int ranks = 0;  ///< the largest number of ranks of a timed alltoall
  LinkContention links;
  bool operator==(const ScopeContention&) const = default;
};

/// Stores contention signatures in the platform, as its section "contention".
void store_contention(Platform& platform, const std::vector<ScopeContention>& contention);

/// Reads the contention signatures of a platform; empty without such a section. Throws Error for an invalid section.
std::vector<ScopeContention> stored_contention(const Platform& platform);

/// Returns the contention of a scope, null if there is none.
const LinkContention* contention_of(const std::vector<ScopeContention>& contention, const std::string& scope);

/// Times of a direct alltoall in closed form, for alltoalls too large to simulate and for measured contention. An
/// alltoallv whose counts are not a product (AlltoallCounts::factors) has no closed form.
class AlltoallContention {
 public:
  /// For these ranks of a platform. `platform` and `measured` must outlive the object; null: no measured contention.
  AlltoallContention(const Platform& platform, std::vector<Rank> members, const LinkContention* measured);

  /// Returns the time from the first message to the last arrival, limited by links alone: overheads of P - 1 messages,
  /// the busiest link, the longest latency. Nothing without a closed form or without known link rates.
  std::optional<Picoseconds> direct(const Request& request, const Model& model) const;

  /// Returns the time by the measured signature, with all messages in flight at once. Nothing without a signature or a
  /// closed form.
  std::optional<Picoseconds> measured(const Request& request) const;

 private:
  std::optional<LinkLoads> loads_of(const Request& request) const;

  const Platform* platform_;
  std::vector<Rank> members_;
  const LinkContention* measured_;
  Picoseconds overhead_ = 0;  // of a message, send and receive: the median
};

}  // namespace tombolo
