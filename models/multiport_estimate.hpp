#pragma once

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/multiport.hpp>

namespace tombolo {

/// Measures what the platform does not say: how messages are exchanged, and what ports do with several at a time.
///
/// By class of pairs, on one pair: up to which size a send does not wait for its receive (sends to a receiver that is
/// late, bisection); what larger messages take more (round trips of four sizes around that one); how long after a late
/// receive a small and a large message are there. By cluster, on one host and two partners: what two messages get
/// together of its port (one-to-two), and what a message each way leave each other (exchange).
Multiport::Parameters estimate_multiport(const Platform& platform, Laboratory& laboratory);

}  // namespace tombolo
