#include <tombolo/collectives/forms/contention.hpp>

namespace tombolo::forms {

Picoseconds contended_alltoall(const ContentionSignature& signature, int ranks, Bytes bytes) {
  const Picoseconds transfer = scaled(transfer_time(bytes, signature.rate), signature.gamma, one_in_millionths);
  const Picoseconds large = bytes >= signature.threshold ? signature.delta : 0;
  return times(ranks - 1, plus(plus(signature.latency, transfer), large));
}

}  // namespace tombolo::forms
