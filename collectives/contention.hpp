#pragma once

#include <array>
#include <span>

#include <tombolo/collectives/forms/contention.hpp>
#include <tombolo/collectives/shared_links.hpp>

namespace tombolo {

/// A total exchange that was timed: equal blocks of so many bytes among so many ranks.
struct AlltoallSample {
  int ranks = 0;
  Bytes bytes = 0;
  Picoseconds time = 0;
};

/// The contention signature of a network, by section 6 of Steffenel, Martinasso and Trystram (2007): gamma and delta by
/// generalised least squares (errors in proportion to times), M among the sizes of the samples, where that leaves the
/// least; no delta where one explains no more than chance would. alpha and beta come from messages between two ranks;
/// forms::contended_alltoall() predicts.
///
/// The samples are of one number of ranks that saturates the network and of four sizes or more; else it throws Error.
/// Computed in floating point and rounded: one rank fits, the others take what it found.
ContentionSignature fit_contention(Picoseconds latency, BytesPerSecond rate, std::span<const AlltoallSample> samples);

/// The same with a term for each shared link in the place of m beta gamma, for networks of more than one switch:
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

/// What an exchange among so many ranks takes that puts these loads (shared_links.hpp) on links.
Picoseconds contended_alltoall(const LinkContention& contention, int ranks, Bytes bytes, const LinkLoads& loads);

/// A total exchange that was timed, with what it put on links at gamma one.
struct LoadedSample {
  int ranks = 0;
  Bytes bytes = 0;
  LinkLoads loads = {};
  Picoseconds time = 0;
};

/// Fits gamma of each kind, delta and M, in the same way; here numbers of ranks may differ. A kind has a gamma of one
/// where no sample has it as its bottleneck. Throws Error for fewer than four samples.
LinkContention fit_link_contention(Picoseconds latency, std::span<const LoadedSample> samples);

}  // namespace tombolo
