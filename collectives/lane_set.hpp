#pragma once

#include <unordered_map>

#include <tombolo/collectives/parameters.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// The lanes of a rank's sends, or of its receives: one for each peer or one for all, as Parameters::lanes has it,
/// opened when first asked for. What must not wait for one another takes sets of its own: a rank that has several
/// parents, one in each of several trees, would wait for one of them while another one is ready, so only children share
/// a lane.
class LaneSet {
 public:
  LaneSet(ScheduleWriter& writer, int window, Lanes lanes)
      : writer_(writer), window_(window), shared_(lanes == Lanes::per_rank) {}
  static LaneSet with_children(ScheduleWriter& writer, const Parameters& parameters) {
    return {writer, parameters.window, parameters.lanes};
  }
  static LaneSet with_parents(ScheduleWriter& writer, const Parameters& parameters) {
    return {writer, parameters.window, Lanes::per_link};
  }

  /// Of the messages to or from that peer. Over a long link so many more may be under way, in a lane of their own:
  /// near ones would wait for them.
  int lane(Rank peer, int further = 0);

 private:
  ScheduleWriter& writer_;
  int window_;
  bool shared_;
  std::unordered_map<Rank, int> lanes_;
};

/// The lane of messages of which every peer gets one only: a window per link would bound nothing, and only make their
/// sends synchronous.
inline int lane_of_single_messages(ScheduleWriter& writer, const Parameters& parameters) {
  return parameters.lanes == Lanes::per_rank ? writer.lane(parameters.window) : 0;
}

}  // namespace tombolo
