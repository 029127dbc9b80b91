#pragma once

#include <functional>

#include <tombolo/models/fitting/arithmetic.hpp>

namespace tombolo::forms {

/// The parameters of pLogP that the closed forms of Barchet-Estefanel and Mounié ("Performance Characterisation of
/// Intra-Cluster Collective Communications", 2004) are written in. A message of m bytes between any two ranks takes
/// L + g(m), during g(m) of which its sender can send and its receiver receive nothing else.
struct Plogp {
  Picoseconds latency = 0;                                                ///< L
  std::function<Picoseconds(Bytes)> gap;                                  ///< g
  std::function<Picoseconds(Bytes)> sending = [](Bytes) { return 0; };    ///< os; of exchanges only
  std::function<Picoseconds(Bytes)> receiving = [](Bytes) { return 0; };  ///< or; of exchanges only
};

/// The same with a rendezvous before every message: a byte there, a byte back and then the message, so that L becomes
/// 2 g(1) + 3 L. Every "rendezvous" row of Table 1 is its plain row with that.
inline Plogp with_rendezvous(Plogp plogp) {
  plogp.latency = plus(times(2, plogp.gap(1)), times(3, plogp.latency));
  return plogp;
}

}  // namespace tombolo::forms
