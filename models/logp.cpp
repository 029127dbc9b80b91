#include <algorithm>

#include <tombolo/models/check_figure.hpp>
#include <tombolo/models/logp.hpp>
#include <tombolo/models/total_cost.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

LogP::LogP(const Platform& platform, std::vector<Figures> by_class, Bytes size, BytesPerSecond memory_rate)
    : figures_(platform, std::move(by_class)), size_(size), memory_rate_(memory_rate) {
  check_positive("size of messages", size, "bytes");
  check_positive("memory rate", memory_rate, "B/s");
  for (const Figures& pair : figures_.all()) {
    check_not_negative("send overhead", pair.send_overhead, "ps");
    check_not_negative("receive overhead", pair.receive_overhead, "ps");
    check_not_negative("latency", pair.latency, "ps");
    check_not_negative("gap", pair.gap, "ps");
    longest_latency_ = std::max(longest_latency_, plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead));
  }
}

std::string LogP::describe() const {
  return fmt::format("LogP: {} classes of pairs, messages of {} bytes in up to {}", figures_.all().size(), size_,
                     readable(longest_latency_));
}

MessageCost LogP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures_.of(from, to);
  const Bytes count = std::max<Bytes>(1, bytes / size_ + (bytes % size_ == 0 ? 0 : 1));
  const Picoseconds gap = std::max({pair.gap, pair.send_overhead, pair.receive_overhead});
  const Picoseconds train = times(gap, count);
  const Picoseconds one = plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead);
  return total_cost({.overhead = times(pair.send_overhead, count),
                     .send = train,
                     .receive = train,
                     .receive_overhead = pair.receive_overhead},
                    plus(one, times(gap, count - 1)));
}

}  // namespace tombolo
