#pragma once

#include <unordered_map>

#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/plan/schedule_writer.hpp>

namespace tombolo {

/// The channels of a rank's sends, or of its receives: one per peer or one for all peers (Parameters::channels), opened
/// on first use. Messages that must not wait for each other use separate sets. Only the channels with children may be
/// shared: with several parents, in different trees, a rank would wait for one parent while another one is ready.
class ChannelSet {
 public:
  ChannelSet(ScheduleWriter& writer, int window, Channels channels)
      : writer_(writer), window_(window), shared_(channels == Channels::per_rank) {}
  static ChannelSet with_children(ScheduleWriter& writer, const Parameters& parameters) {
    return {writer, parameters.window, parameters.channels};
  }
  static ChannelSet with_parents(ScheduleWriter& writer, const Parameters& parameters) {
    return {writer, parameters.window, Channels::per_link};
  }

  /// The channel of messages to or from a peer. A long link has its own channel with `further` more messages in flight,
  /// so that messages over short links do not wait for it.
  int channel(Rank peer, int further = 0) {
    if (window_ <= 0) return 0;
    const auto [at, first] = channels_.try_emplace(shared_ && further == 0 ? nobody : peer, 0);
    if (first) at->second = writer_.channel(window_ + further);
    return at->second;
  }

 private:
  ScheduleWriter& writer_;
  int window_;
  bool shared_;
  std::unordered_map<Rank, int> channels_;
};

/// The channel for algorithms with a single message per peer: a shared one, or none with Channels::per_link, where a
/// window would bound nothing and only make the sends synchronous.
inline int channel_of_single_messages(ScheduleWriter& writer, const Parameters& parameters) {
  return parameters.channels == Channels::per_rank ? writer.channel(parameters.window) : 0;
}

}  // namespace tombolo
