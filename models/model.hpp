#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tombolo/models/network/network.hpp>
#include <tombolo/models/shared_cores.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Cost of one message to its sender and receiver, from its start on. A rank has one processor, one outgoing port and
/// one incoming port. Each resource serves one message at a time, in order of arrival; the three work concurrently.
///
/// The message starts once the sender's processor and outgoing port are free. The processor is busy for `overhead`, the
/// port for `send`. The message leaves `transit` after its start; with a network (`flow`), its bytes then flow at the
/// rate that concurrent flows leave. The receiver's incoming port is busy for `receive`, from `wire` after the
/// departure on, delayed if necessary so that it does not become free before all bytes have flowed. The receiver's
/// processor is then busy for `receive_overhead`; after that the message has arrived. Processors of ranks that share
/// cores (Model::shared_cores()) need one of these while they are busy.
struct MessageCost {
  Picoseconds overhead = 0;
  Picoseconds send = 0;
  Picoseconds transit = 0;
  Flow flow = {};
  Picoseconds wire = 0;
  Picoseconds receive = 0;
  Picoseconds receive_overhead = 0;
  /// What the receive overhead is less by if the send is synchronous, as of a message that no library's buffer holds.
  Picoseconds saved_if_synchronous = 0;
  /// True if the message leaves only after the receive is posted and `transit_after_posting` has passed since, as where
  /// no message may arrive unexpectedly.
  bool awaits_receive = false;
  Picoseconds transit_after_posting = 0;
  /// True if the send completes on arrival of the message, as after a rendezvous; false if it completes once the
  /// sender's processor and port are done.
  bool synchronous = false;

  void make_synchronous() {
    synchronous = true;
    receive_overhead -= saved_if_synchronous;
    saved_if_synchronous = 0;
  }
};

/// A communication model: the costs of messages and of local work. Pure and integral, so that all ranks predict the
/// same times.
class Model {
 public:
  virtual ~Model() = default;
  /// One word, as in reports and files: "plogp".
  virtual std::string name() const = 0;
  /// One line, with the parameters if there are few.
  virtual std::string describe() const = 0;
  virtual MessageCost message(Rank from, Rank to, Bytes bytes) const = 0;
  /// Time to move or combine `bytes` bytes within a rank's memory.
  virtual Picoseconds local(Bytes bytes) const = 0;
  /// The latency between the two ranks farthest apart, as needed for the size of a window.
  virtual Picoseconds longest_latency() const = 0;
  /// True if a message of one size takes the same time between any two ranks, and the ports of both all of that time.
  virtual bool is_uniform() const { return false; }
  /// The network that the flows of messages share; null if messages do not contend.
  virtual const Network* network() const { return nullptr; }
  /// The cores that ranks share; null if every rank has one of its own.
  virtual const SharedCores* shared_cores() const { return nullptr; }
};

/// The time from the start of one message to its arrival, without other traffic.
Picoseconds message_time(const Model& model, Rank from, Rank to, Bytes bytes);

/// A model restricted to a subset of its ranks, renumbered from 0: for plans on part of the ranks.
class OnRanks final : public Model {
 public:
  /// Rank r of this model is ranks[r] of `model`, which must outlive this.
  OnRanks(const Model& model, std::vector<Rank> ranks);

  std::string name() const override { return model_->name(); }
  std::string describe() const override { return model_->describe(); }
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override { return model_->local(bytes); }
  Picoseconds longest_latency() const override { return longest_latency_; }
  const Network* network() const override { return network_.get(); }
  const SharedCores* shared_cores() const override { return cores_.any() ? &cores_ : nullptr; }

 private:
  Rank outside(Rank rank) const { return ranks_[static_cast<std::size_t>(rank)]; }

  const Model* model_;
  std::vector<Rank> ranks_;
  std::unique_ptr<Network> network_;
  SharedCores cores_;
  Picoseconds longest_latency_ = 0;
};

}  // namespace tombolo
