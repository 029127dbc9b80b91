#include <algorithm>

#include <tombolo/models/check_figure.hpp>
#include <tombolo/models/loggp.hpp>
#include <tombolo/models/total_cost.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

LogGP::LogGP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate)
    : figures_(platform, std::move(by_class)), memory_rate_(memory_rate) {
  check_positive("memory rate", memory_rate, "B/s");
  for (const Figures& pair : figures_.all()) {
    check_not_negative("send overhead", pair.send_overhead, "ps");
    check_not_negative("receive overhead", pair.receive_overhead, "ps");
    check_not_negative("latency", pair.latency, "ps");
    check_not_negative("gap", pair.gap, "ps");
    check_not_negative("gap per byte", pair.gap_per_megabyte, "ps per MB");
    longest_latency_ = std::max(longest_latency_, plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead));
  }
}

std::string LogGP::describe() const {
  return fmt::format("LogGP: {} classes of pairs, a byte in up to {}", figures_.all().size(),
                     readable(longest_latency_));
}

MessageCost LogGP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures_.of(from, to);
  const Picoseconds rest = time_for(std::max<Bytes>(bytes, 1) - 1, pair.gap_per_megabyte);
  const Picoseconds busy = plus(std::max({pair.gap, pair.send_overhead, pair.receive_overhead}), rest);
  const Picoseconds one = plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead);
  return total_cost(
      {.overhead = pair.send_overhead, .send = busy, .receive = busy, .receive_overhead = pair.receive_overhead},
      plus(one, rest));
}

}  // namespace tombolo
