#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/units.hpp>

namespace tombolo::discovery {

/// The stopping rule of a repeated measurement: the figure is precise, the time `until` has come or `most` repetitions
/// are done; `least` repetitions in any case, and `few` if times have noise and there is time.
struct Repetition {
  std::size_t least = 2;
  std::size_t few = 8;
  /// Connections that were idle are slow at first and steady afterwards (TCP's slow start): so many times in succession
  /// that agree are enough if `few` would be costly, and the first quarter of all times does not count. 0: `few` in any
  /// case, and all count.
  std::size_t steady = 0;
  std::size_t most = 100;
  double quantile = 0.5;  ///< of the times; the reported figure
  double precision = 0.02;
  bool only_delays = false;   ///< disturbances only delay: the error covers the shortest time and the median
  Picoseconds pause = 0;      ///< before each time, of random length below this
  Picoseconds until = never;  ///< on this rank's clock

  /// Returns true if `few` repetitions of something that takes `time` need much of what is left at `now`.
  bool costly(Picoseconds time, Picoseconds now) const;
};

/// Sleeps for a random time, so that ranks are not in step.
void pause(std::mt19937_64& random, Picoseconds less_than);

/// Messages between two ranks, of which one measures and the other answers. The measuring rank alone decides the
/// repetitions and sizes, and ends the measurement.
class Probe {
 public:
  /// `buffer`: memory for all messages; its size is the largest message size.
  Probe(MPI_Comm communicator, std::span<char> buffer);

  /// Measures repeatedly the time from the start of a message to the end of the empty reply. An empty message to a new
  /// partner is sent first and not counted, since the partner may arrive late.
  Measured round_trips(int partner, Bytes bytes, const Repetition& repetition);
  /// Measures one such time.
  Picoseconds round_trip(int partner, Bytes bytes);
  /// Measures one such time for each partner, with all messages sent at once.
  std::vector<Picoseconds> round_trips_at_once(std::span<const int> partners, std::span<const Bytes> bytes);
  /// Ends the partner's answer().
  void end(int partner);
  /// Replies with empty messages until the partner calls end(). Sleeps before the first message.
  void answer(int partner);
  /// Measures a simultaneous exchange of messages; the partner calls the same function.
  Picoseconds exchange(int partner, Bytes bytes);
  /// Returns the lower of this rank's number and that of the partner, which calls the same function. Waits for it.
  std::int64_t lower_of_both(int partner, std::int64_t mine);

  Bytes largest() const { return static_cast<Bytes>(buffer_.size()); }
  std::int64_t messages() const { return messages_; }
  void count_message() { ++messages_; }

 private:
  MPI_Comm communicator_;
  std::span<char> buffer_;
  int partner_ = -1;  // the answering rank
  std::int64_t messages_ = 0;
  std::mt19937_64 random_;
};

/// The ranks that measure the network, one per host in the order of the hosts, with rank 0 at the root, and the
/// parameters of a stage of the discovery.
struct Team {
  MPI_Comm communicator = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  Probe& probe;
  double precision = 0.02;
  bool quick = false;         ///< a rough figure of everything: one timing of each suffices
  Picoseconds until = never;  ///< deadline of the current stage, on this rank's clock
  /// Called on rank 0 with a description of the current measurement, for people.
  std::function<void(const std::string& what)> progress = [](const std::string&) {};

  Repetition repetition() const {
    if (quick) return {.least = 1, .few = 6, .steady = 3, .most = 6, .precision = precision, .until = until};
    return {.steady = 3, .precision = precision, .until = until};
  }
  /// The rule for empty messages: other processes on a host can only delay them, so the faster times show the link.
  Repetition latency_repetition() const {
    return {.most = 400, .quantile = 0.25, .precision = precision, .only_delays = true, .until = until};
  }

  /// Sends a value to another rank, which calls receive() with the same tag.
  template <class Value>
  void send(int to, const Value& value, int tag) const {
    check_mpi(MPI_Send(&value, sizeof value, MPI_BYTE, to, tag, communicator), "MPI_Send");
  }
  template <class Value>
  void receive(int from, Value& value, int tag) const {
    check_mpi(MPI_Recv(&value, sizeof value, MPI_BYTE, from, tag, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
  }
};

using Figures = std::vector<std::int64_t>;

/// Returns the figures of every rank, by rank, on rank 0; empty on the others. Collective.
std::vector<Figures> gather(const Team& team, const Figures& mine);

/// Returns the figures of rank 0 on all ranks. Collective.
Figures broadcast(const Team& team, Figures figures);

/// Returns the figures of all ranks on all of them, one rank's after the other's. Collective.
Figures everybodys(const Team& team, const Figures& mine);

/// Returns a figure of one rank on all of them. Collective.
Measured known_to_all(const Team& team, Measured figure, int rank);

/// A barrier that returns false on all ranks if one of them is out of time (`over`). Collective.
bool in_time(const Team& team, bool over);

/// Gives each of several parts of a stage its share of the remaining time. Otherwise the first parts would use all of
/// it for precision, and the last ones would not be measured.
class FairShares {
 public:
  FairShares(Team& team, std::size_t parts) : team_(&team), end_(team.until), left_(static_cast<Picoseconds>(parts)) {}
  FairShares(const FairShares&) = delete;
  FairShares& operator=(const FairShares&) = delete;
  ~FairShares() { team_->until = end_; }

  void next();
  /// Returns true if the time of all parts is over.
  bool over() const;

 private:
  Team* team_;
  Picoseconds end_;
  Picoseconds left_;
};

/// The time of a large message with an empty reply: time = fixed + bytes / rate.
struct LargeMessage {
  Measured rate;          ///< B/s
  Picoseconds fixed = 0;  ///< latencies of both directions, including a rendezvous
  Bytes bytes = 0;        ///< large enough to show the rate
};

/// Measures a large message with two sizes; the larger one grows until the transfer time exceeds the fixed time and the
/// noise clearly. The partner answers; the measuring rank ends it.
LargeMessage measure_large_message(Team& team, int partner);

/// Returns true if the rate is precise and measuring it again would take much of the stage's time.
bool again_is_costly(const Team& team, const LargeMessage& message);

}  // namespace tombolo::discovery
