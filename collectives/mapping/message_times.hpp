#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <tombolo/models/model.hpp>

namespace tombolo {

/// What schedules need to know of a message, in the terms of the papers on them (group_schedule.hpp).
struct MessageTime {
  Picoseconds gap = 0;      ///< g_ij: from the start of one such message of a sender to that of its next
  Picoseconds latency = 0;  ///< L_ij: from the end of the gap until it is there
  Picoseconds whole() const { return plus(gap, latency); }
  bool operator==(const MessageTime&) const = default;
};

/// Under a model: the gap is the longest thing that keeps either side busy, or the time that the bytes take, if that is
/// longer; the latency is what remains of message_time().
MessageTime message_time_parts(const Model& model, Rank from, Rank to, Bytes bytes);

/// The same for messages of one size, kept once asked for. `model` must outlive this.
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
  mutable std::vector<std::optional<MessageTime>> kept_;        // by from * ranks_ + to, where ranks are few
  mutable std::unordered_map<std::int64_t, MessageTime> some_;  // the same where they are many
};

}  // namespace tombolo
