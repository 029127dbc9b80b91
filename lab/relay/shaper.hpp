#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tombolo/lab/relay/frame_queue.hpp>
#include <tombolo/lab/relay/relay_settings.hpp>

namespace tombolo {

/// What a link has carried so far.
struct RelayCounts {
  std::int64_t frames = 0;
  std::int64_t bytes = 0;
  std::int64_t dropped = 0;
  Nanoseconds late = 0;       ///< all frames together: by how much they were handed over after they were due
  Nanoseconds most_late = 0;  ///< one of them
};

/// The network between sites, in a time that the caller states: frames come in from a site, wait for their turn on the
/// lines that they cross, take the time that their bits and the distance need, and come out at another site.
///
/// A frame crosses up to three lines, each of which sends one frame after another: what its site's hosts share towards
/// other sites, the link between the two sites, and what the hosts of the other site share. It is dropped where it
/// would have to wait longer than the link's `most_wait`, at the first two together or at the last. No frame passes
/// another of the same two sites, whatever is set meanwhile. Rates count the bytes of frames as the sites hand them
/// over, headers of Ethernet included. Nothing here asks for memory once the queues are as long as they get.
class Shaper {
 public:
  explicit Shaper(const RelaySettings& settings);

  /// A frame that has come from `site` at `now`, which never goes back for a site. It is given its new addresses in
  /// place.
  void accept(int site, std::span<std::uint8_t> frame, Nanoseconds now);

  struct Arrival {
    int site;                             ///< where to
    std::span<const std::uint8_t> frame;  ///< until the Shaper is used again
    Nanoseconds due;
  };

  /// The earliest frame that is due at `until` or before, if there is one. It stays until it is `handed_over`.
  std::optional<Arrival> arrival(Nanoseconds until);

  /// The frame that arrival() has returned last went on its way at `now`.
  void handed_over(Nanoseconds now);

  /// When something has to be done next, if nothing is accepted before; nothing where nothing is under way.
  std::optional<Nanoseconds> next() const;

  /// From now on: what is under way keeps its time. Error: there is no such link.
  void set(const RelayLink& link);

  /// Returns the least delay of all links; 0 if there are none.
  Nanoseconds least_delay() const;

  int sites() const { return static_cast<int>(sites_.size()); }

  /// Calls what(from, to, counts) of every link there is.
  template <class What>
  void each_link(What what) const {
    for (const Line& line : lines_) what(line.from, line.to, line.counts);
  }

  /// Frames that no link was for: not of IPv4, not to the gateway, to nobody, or to where there is no link.
  std::int64_t unknown() const { return unknown_; }

 private:
  struct Site {
    MacAddress gateway{};
    Pace up;
    Pace down;
    FrameQueue arriving;  ///< where down is limited: frames whose tag is their line
  };
  struct Line {
    int from = 0;
    int to = 0;
    RelayShape shape;
    Pace pace;
    Nanoseconds last_due = 0;
    FrameQueue frames;
    RelayCounts counts;
  };
  using Turn = std::pair<Nanoseconds, std::size_t>;  ///< when the first frame of which queue is due

  Line* line(int from, int to);
  FrameQueue& queue(std::size_t index);
  void add_turn(std::size_t index);
  void finish_turn();
  void arrive(std::size_t index);

  std::vector<Site> sites_;
  std::vector<Line> lines_;
  std::vector<int> line_at_;  ///< of from * sites + to; -1: none
  std::unordered_map<Ipv4Address, RelayHost> hosts_;
  std::vector<Turn> turns_;  ///< a heap of every queue that is not empty; those of sites come after those of lines
  std::int64_t unknown_ = 0;
};

}  // namespace tombolo
