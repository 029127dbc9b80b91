#include <algorithm>

#include <tombolo/collectives/mapping/message_times.hpp>

namespace tombolo {

namespace {

constexpr int few = 512;

// Time of the bytes of a message: the smaller of the increase for twice the bytes and twice the decrease for half the
// bytes. A rendezvous threshold between two of these sizes affects only one of the differences.
Picoseconds time_of_bytes(const Model& model, Rank from, Rank to, Bytes bytes, Picoseconds whole) {
  if (bytes == 0) return 0;
  const Picoseconds more = message_time(model, from, to, 2 * bytes) - whole;
  const Picoseconds less = whole - message_time(model, from, to, bytes - bytes / 2);
  return std::max<Picoseconds>(std::min(more, 2 * less), 0);
}

}  // namespace

MessageTime message_time_parts(const Model& model, Rank from, Rank to, Bytes bytes) {
  const MessageCost cost = model.message(from, to, bytes);
  const Picoseconds whole = message_time(model, from, to, bytes);
  const Picoseconds busy = std::max<Picoseconds>({cost.overhead, cost.send, cost.receive, cost.receive_overhead, 1});
  // Where flows share links, the costs do not include the time of the bytes.
  const Picoseconds gap = cost.flow.bytes > 0 ? std::max(busy, time_of_bytes(model, from, to, bytes, whole)) : busy;
  return {gap, std::max<Picoseconds>(whole - gap, 0)};
}

MessageTimes::MessageTimes(const Model& model, int ranks, Bytes bytes)
    : model_(&model),
      ranks_(ranks),
      bytes_(bytes),
      kept_(ranks <= few ? static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks) : 0) {}

MessageTime MessageTimes::of(Rank from, Rank to) const {
  if (kept_.empty()) {
    const auto [found, is_new] = some_.try_emplace(std::int64_t{from} * ranks_ + to);
    if (is_new) found->second = message_time_parts(*model_, from, to, bytes_);
    return found->second;
  }
  const auto at = static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(to);
  if (!kept_[at]) kept_[at] = message_time_parts(*model_, from, to, bytes_);
  return *kept_[at];
}

}  // namespace tombolo
