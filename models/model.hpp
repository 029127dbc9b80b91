#pragma once

#include <string>

#include <tombolo/models/network.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What one message costs those who take part in it, from its start on. A rank has one processor and two ports, out and
/// in; each does one thing at a time, in the order in which things come, all three at once.
///
/// The message starts when the sender's processor and outgoing port are free. The processor is busy for `overhead`, the
/// port for `send`. `transit` after the start it leaves: its bytes flow, where the model has a network (`flow`), as
/// fast as what else flows lets them. `wire` after leaving, but not so early that its bytes would still flow when it is
/// through, it occupies the receiver's incoming port for `receive`, and then its processor for `receive_overhead`; then
/// it is there.
struct MessageCost {
  Picoseconds overhead = 0;
  Picoseconds send = 0;
  Picoseconds transit = 0;
  Flow flow = {};
  Picoseconds wire = 0;
  Picoseconds receive = 0;
  Picoseconds receive_overhead = 0;
  /// Whether it does not leave before the receive is posted and `transit_after_posting` has passed since then, as where
  /// nothing may come unexpectedly.
  bool awaits_receive = false;
  Picoseconds transit_after_posting = 0;
  /// Whether the send is complete only once the message has arrived, as after a rendezvous; else when the processor and
  /// the port have done their part.
  bool synchronous = false;
};

/// A communication model: what messages and local work cost. Pure and integral, so that all ranks predict alike.
class Model {
 public:
  virtual ~Model() = default;
  /// One word, as in reports and files: "plogp".
  virtual std::string name() const = 0;
  /// One line, with its figures where they are few.
  virtual std::string describe() const = 0;
  virtual MessageCost message(Rank from, Rank to, Bytes bytes) const = 0;
  /// Moving or combining so many bytes within a rank's memory.
  virtual Picoseconds local(Bytes bytes) const = 0;
  /// The latency between those two ranks that are farthest apart: what a window must cover.
  virtual Picoseconds longest_latency() const = 0;
  /// What the flows of messages share; null where messages do not meet in the network.
  virtual const Network* network() const { return nullptr; }
};

/// How long one message takes where nothing else is under way: from its start until it is there.
Picoseconds message_time(const Model& model, Rank from, Rank to, Bytes bytes);

}  // namespace tombolo
