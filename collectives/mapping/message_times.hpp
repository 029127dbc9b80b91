#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <tombolo/models/model.hpp>

namespace tombolo {

/// Gap and latency of a message, in the terms of the papers on schedules (group_schedule.hpp).
struct MessageTime {
  Picoseconds gap = 0;      ///< g_ij: from the start of one message to the start of the sender's next
  Picoseconds latency = 0;  ///< L_ij: from the end of the gap to the arrival
  Picoseconds whole() const { return plus(gap, latency); }
  bool operator==(const MessageTime&) const = default;
};

/// Splits the time of a message under a model. The gap is the longest cost that keeps either side busy, or the time of
/// the bytes if that is longer; the latency is the rest of message_time().
MessageTime message_time_parts(const Model& model, Rank from, Rank to, Bytes bytes);

/// Message times of one size, computed on demand and cached. `model` must outlive the object.
class MessageTimes {
 public:
  MessageTimes(const Model& model, int ranks, Bytes bytes);

  int ranks() const { return ranks_; }
  Bytes bytes() const { return bytes_; }
  const Model& model() const { return *model_; }
  MessageTime of(Rank from, Rank to) const;

 private:
  const Model* model_;
  int ranks_;
  Bytes bytes_;
  mutable std::vector<std::optional<MessageTime>> kept_;        // at from * ranks_ + to, for few ranks
  mutable std::unordered_map<std::int64_t, MessageTime> some_;  // by from * ranks_ + to, for many ranks
};

}  // namespace tombolo
