#pragma once

#include <cstdint>
#include <span>

#include <mpi.h>

#include <tombolo/units.hpp>

namespace tombolo {

/// The meaning of a message of an experiment; the content is irrelevant.
enum class Tag : int {
  message,  ///< the timed message, or its answer
  over,     ///< the experiment is over
  again,    ///< the experiment is repeated
  ready,    ///< the sender is ready, with its receive posted
  turn,     ///< an earlier experiment that must not overlap with the next is over
  ping,     ///< to be answered at once
  start,    ///< the receiver starts at once, the sender when this message has arrived
  figures   ///< what a rank has measured, to rank 0
};

/// Sends, receives and counts the messages of one rank's experiments.
class Messenger {
 public:
  /// Uses `buffer` for all messages, in two halves; the largest message has the size of a half.
  Messenger(MPI_Comm communicator, std::span<char> buffer) : communicator_(communicator), buffer_(buffer) {}

  void send(Rank to, Tag tag, Bytes bytes = 0);
  /// Receives a message with `tag` and at most `bytes` bytes.
  void receive(Rank from, Tag tag, Bytes bytes = 0);
  /// Posts a receive with any tag into the first or second half.
  MPI_Request post(Rank from, Bytes bytes, int half = 0);
  /// Receives `count` messages with `tag`, of `bytes` bytes each; posts all receives at once. Together they have at
  /// most largest() bytes.
  void receive_all(Rank from, Tag tag, Bytes bytes, int count);
  /// Posts a receive of an empty message with `tag`.
  MPI_Request post_empty(Rank from, Tag tag) const;
  Tag wait(MPI_Request& request);
  /// Waits without occupying a core.
  Tag wait_asleep(MPI_Request& request);
  /// Sends to and receives from `with` concurrently.
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
