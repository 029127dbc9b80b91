#pragma once

#include <tombolo/collectives/forms/arithmetic.hpp>

namespace tombolo {

/// How much slower than its lower bound a network carries a total exchange: the contention signature of Steffenel,
/// Martinasso and Trystram ("Assessing Contention Effects on MPI_Alltoall Communications", 2007). fit_contention()
/// (contention.hpp) finds gamma, delta and the threshold.
struct ContentionSignature {
  Picoseconds latency = 0;               ///< alpha, of one message
  BytesPerSecond rate = 1;               ///< 1 / beta, of one message
  Millionths gamma = one_in_millionths;  ///< the contention ratio
  Picoseconds delta = 0;                 ///< what each large block costs beyond that
  Bytes threshold = 0;                   ///< M: blocks of this size on are large
  bool operator==(const ContentionSignature&) const = default;
};

namespace forms {

/// (n - 1) (alpha + m beta gamma), and (n - 1) delta more for m >= M: equations 4 (where delta is 0) and 5. Blocks of
/// `bytes` each between so many ranks. With gamma one and delta 0 it is the lower bound, proposition 1.
Picoseconds contended_alltoall(const ContentionSignature& signature, int ranks, Bytes bytes);

}  // namespace forms

}  // namespace tombolo
