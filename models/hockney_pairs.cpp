#include <algorithm>

#include <fmt/format.h>

#include <tombolo/models/check_figure.hpp>
#include <tombolo/models/hockney_pairs.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

HockneyPairs::HockneyPairs(LinkTable links, BytesPerSecond memory_rate)
    : links_(std::move(links)), memory_rate_(memory_rate) {
  check_positive("memory rate", memory_rate, "B/s");
  for (const LinkCost& pair : links_.cells()) {
    check_not_negative("latency", pair.latency, "ps");
    check_not_negative("time", pair.per_megabyte, "ps per MB");
    longest_latency_ = std::max(longest_latency_, pair.latency);
  }
}

std::string HockneyPairs::describe() const {
  return fmt::format("Hockney by pairs: {} figures, latencies up to {}", links_.cells().size(),
                     readable(longest_latency_));
}

MessageCost HockneyPairs::message(Rank from, Rank to, Bytes bytes) const {
  const LinkCost& pair = links_.at(from, to);
  const Picoseconds busy = plus(pair.latency, time_for(bytes, pair.per_megabyte));
  return {.send = busy, .receive = busy};
}

}  // namespace tombolo
