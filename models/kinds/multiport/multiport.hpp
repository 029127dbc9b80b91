#pragma once

#include <string>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/models/network/platform_network.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/description/routes.hpp>

namespace tombolo {

/// The bounded multi-port model (Hong and Prasanna 2007) at the level of flows. Processors execute the overheads of
/// messages one after the other; any number of messages are then in flight, and their bytes share the ports of hosts,
/// uplinks and links between clusters as in TCP (platform_network.hpp). Latencies, rates and overheads are the
/// platform's; the message protocol is measured per class of pairs.
class Multiport final : public Model {
 public:
  /// The protocol of one class of pairs. Times are in thousandths of the latency of the pair.
  struct Protocol {
    Bytes eager = 0;    ///< the largest message whose send does not wait for its receive
    int handshake = 0;  ///< extra time of larger messages for the rendezvous
    /// True if the bytes of a small (large) message move only after the posting of its receive, `..._after_posting`
    /// later.
    bool small_awaits = false;
    int small_after_posting = 0;
    bool large_awaits = true;
    int large_after_posting = 0;
    bool operator==(const Protocol&) const = default;
  };
  struct Parameters {
    std::vector<Protocol> protocols;  ///< by class of pairs
    PlatformNetwork::Ports ports;     ///< by cluster
    Bytes header = 0;                 ///< what a message between hosts carries beside its own bytes
    /// The receive overhead of messages whose send is synchronous, in thousandths of that of others.
    int synchronous_receive = Network::whole;
    BytesPerSecond memory_rate = 10'000'000'000;
    std::vector<std::string> left_out = {};  ///< what there was no time to measure, for people
    bool operator==(const Parameters&) const = default;
  };
  /// `platform` must outlive this. Throws Error for parameters of another platform.
  Multiport(const Platform& platform, Parameters parameters);

  const Parameters& parameters() const { return parameters_; }
  std::string name() const override { return "multiport"; }
  std::string describe() const override;
  MessageCost message(Rank from, Rank to, Bytes bytes) const override;
  Picoseconds local(Bytes bytes) const override;
  Picoseconds longest_latency() const override { return longest_latency_; }
  const Network* network() const override { return &network_; }
  const SharedCores* shared_cores() const override { return cores_.any() ? &cores_ : nullptr; }

 private:
  void add_header(Picoseconds latency, MessageCost& cost) const;
  void add_time_on_shared_cores(Rank from, Rank to, MessageCost& cost) const;

  const Platform* platform_;
  Parameters parameters_;
  PairClasses classes_;
  Routes routes_;
  PlatformNetwork network_;
  SharedCores cores_;
  Picoseconds longest_latency_ = 0;
};

/// The multi-port model from a platform's own figures, without measurements: concurrent messages of a port share the
/// rate of one message, acknowledgements cost nothing, and no message waits for its receive. `platform` must outlive
/// it.
Multiport multiport_of(const Platform& platform);

/// The part of a receive overhead that a message with a synchronous send saves; `synchronous_receive` is that of
/// Multiport::Parameters.
constexpr Picoseconds saved_if_synchronous(Picoseconds receive_overhead, int synchronous_receive) {
  return part_of(receive_overhead, Network::whole - synchronous_receive);
}

/// The time in which `count` messages of `bytes` bytes follow each other to a rank that has posted its receives; until
/// it has received all.
Picoseconds train_time(const Multiport& model, Rank from, Rank to, Bytes bytes, int count);

/// Measures the parameters missing from the platform, message protocols and the rates of ports under concurrent
/// messages, in the laboratory's time.
///
/// By class of pairs, on one pair: the largest message whose send does not wait for its receive (sends to a late
/// receiver, bisection on the fastest pair of each kind of link; tested on others); the extra time of larger messages
/// (round trips with a message below the limit and one above); the time between a late receive and the arrival of a
/// small and of a large message. By cluster, on one host and two partners: the total rate of two messages from one port
/// (one-to-two), and the rates of two messages in opposite directions (exchange). Once, between the hosts with the
/// lowest rate: the header of a message, with which trains of small messages take as long as measured; and between the
/// nearest ones the receive overhead of a message whose send waits for its receive, which where it costs as much as
/// moving the bytes counts as that of any other.
///
/// What there is no time for is a guess: pairs are like the fastest of their kind, and ports as multiport_of() has
/// them.
Multiport::Parameters estimate_multiport(const Platform& platform, Laboratory& laboratory);

}  // namespace tombolo
