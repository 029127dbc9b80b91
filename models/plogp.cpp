#include <algorithm>

#include <tombolo/models/check_figure.hpp>
#include <tombolo/models/plogp.hpp>
#include <tombolo/models/total_cost.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

PLogP::PLogP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate)
    : figures_(platform, std::move(by_class)), memory_rate_(memory_rate) {
  check_positive("memory rate", memory_rate, "B/s");
  for (const Figures& pair : figures_.all()) {
    check_not_negative("latency", pair.latency, "ps");
    longest_latency_ = std::max(longest_latency_, plus(pair.latency, pair.gap.at(0)));
  }
}

std::string PLogP::describe() const {
  return fmt::format("pLogP: {} classes of pairs, latencies up to {}", figures_.all().size(),
                     readable(longest_latency_));
}

MessageCost PLogP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures_.of(from, to);
  const Picoseconds gap = pair.gap.at(bytes);
  return total_cost({.overhead = pair.send_overhead.at(bytes),
                     .send = gap,
                     .receive = gap,
                     .receive_overhead = std::min(pair.receive_overhead.at(bytes), pair.latency)},
                    plus(pair.latency, gap));
}

}  // namespace tombolo
