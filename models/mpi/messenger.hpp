#pragma once

#include <cstdint>
#include <span>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What a message of an experiment says. Ranks need nothing else of it; its bytes do not matter.
enum class Tag : int {
  message,  ///< is the one that is timed, or its answer
  over,     ///< the experiment is over
  again,    ///< it is made once more
  ready,    ///< the sender is there, with its receive posted
  turn,     ///< an earlier experiment is over that must not overlap with this one
  ping,     ///< to be sent back at once
  start     ///< the receiver starts now, and so does the sender once this has arrived
};

/// The messages of one rank's experiments, counted.
class Messenger {
 public:
  /// Messages come from and go to `buffer`, which has two halves: the largest message has the size of one.
  Messenger(MPI_Comm communicator, std::span<char> buffer) : communicator_(communicator), buffer_(buffer) {}

  void send(Rank to, Tag tag, Bytes bytes = 0);
  /// Receives a message of that tag and of at most so many bytes.
  void receive(Rank from, Tag tag, Bytes bytes = 0);
  /// Begins to receive, whatever the tag, into the first or second half.
  MPI_Request post(Rank from, Bytes bytes, int half = 0);
  /// Begins to receive an empty message of that tag.
  MPI_Request post_empty(Rank from, Tag tag) const;
  Tag wait(MPI_Request& request);
  /// Keeps no core busy while nothing comes.
  Tag wait_asleep(MPI_Request& request);
  /// A message to the other and one from it at the same time.
  void exchange(Rank with, Bytes bytes);

  Bytes largest() const { return static_cast<Bytes>(buffer_.size() / 2); }
  std::int64_t sent() const { return sent_; }

 private:
  char* half(int number) const { return buffer_.data() + (number == 0 ? 0 : buffer_.size() / 2); }

  MPI_Comm communicator_;
  std::span<char> buffer_;
  std::int64_t sent_ = 0;
};

}  // namespace tombolo
