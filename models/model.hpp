#pragma once

#include <string>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What one message costs the three who take part in it.
///
/// The sender's outgoing port is busy for `send` from the start, whatever the receiver does meanwhile. `transit` after
/// the start the message begins to arrive; the receiver's incoming port is busy with it for `receive`, one message at a
/// time; then it is there.
struct MessageCost {
  Picoseconds send = 0;
  Picoseconds transit = 0;
  Picoseconds receive = 0;
};

/// A communication model: what messages and local work cost. Pure and integral, so that all ranks predict alike.
class Model {
 public:
  virtual ~Model() = default;
  virtual std::string describe() const = 0;
  virtual MessageCost message(Rank from, Rank to, Bytes bytes) const = 0;
  /// Moving or combining so many bytes within a rank's memory.
  virtual Picoseconds local(Bytes bytes) const = 0;
  /// The latency between those two ranks that are farthest apart: what a window must cover.
  virtual Picoseconds longest_latency() const = 0;
};

}  // namespace tombolo
