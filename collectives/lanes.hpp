#pragma once

#include <map>

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// The lanes of one rank's messages in one direction, as Parameters::lanes and window say: one for each peer, or one
/// for all of them. They are opened when they are first asked for.
class PeerLanes {
 public:
  PeerLanes(ScheduleWriter& writer, const Parameters& parameters)
      : writer_(writer), window_(parameters.window), lanes_(parameters.lanes) {}

  int to(Rank peer) {
    if (window_ == 0) return 0;
    const auto [at, is_new] = opened_.try_emplace(lanes_ == Lanes::per_rank ? 0 : peer, 0);
    if (is_new) at->second = writer_.lane(window_);
    return at->second;
  }

 private:
  ScheduleWriter& writer_;
  int window_;
  Lanes lanes_;
  std::map<Rank, int> opened_;
};

/// The lane of messages of which every peer gets one only: a window per link would bound nothing, and only make their
/// sends synchronous.
inline int lane_of_single_messages(ScheduleWriter& writer, const Parameters& parameters) {
  return parameters.lanes == Lanes::per_rank ? writer.lane(parameters.window) : 0;
}

}  // namespace tombolo
