#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tombolo/lab/relay/descriptor.hpp>
#include <tombolo/lab/relay/frame.hpp>
#include <tombolo/lab/relay/line_server.hpp>
#include <tombolo/lab/relay/relay_control.hpp>
#include <tombolo/lab/relay/shaper.hpp>

namespace tombolo {

/// Carries frames between the ports of sites as a Shaper says, by the monotonic clock.
///
/// To wake up for a frame, here and at its receiver, takes a processor ten times as long as to carry it. So where much
/// is going on frames are carried in rounds: after one, the next begins a gap of a 25th of the shortest delay later at
/// the earliest, and at most 100 us. What it finds has come half a gap ago on average, and so that is when it is taken
/// to have come; what is due within half a gap after it is handed over early, the rest in the next one. No delay is
/// thereby off by more than some 4 %, and none on average. A frame for which the relay has been waiting is carried at
/// once. How late frames were is counted.
class Relay {
 public:
  /// `ports`: of every site, from which a read takes one frame and to which a write hands one over, neither of which
  /// waits: a TAP. `control` answers as relay_answer says. Error: the kernel is older than 5.11 or out of descriptors.
  Relay(const RelaySettings& settings, std::vector<Descriptor> ports, LineServer& control);

  /// Until `stop` can be read. Error: a port is gone.
  void run(const Descriptor& stop);

 private:
  void watch(int number, std::uint64_t what);
  bool hand_over();
  bool take_in(std::size_t site, Nanoseconds ago);
  void answer();
  RelayEffort effort() const;

  RelaySettings settings_;
  std::vector<Descriptor> ports_;
  LineServer& control_;
  Shaper shaper_;
  Nanoseconds gap_;  ///< between rounds
  Descriptor events_;
  std::vector<std::uint8_t> buffer_;
  std::int64_t not_written_ = 0;
};

}  // namespace tombolo
