#include <algorithm>
#include <cmath>

#include <tombolo/models/small_messages.hpp>

namespace tombolo {

SmallMessage small_message(Picoseconds round_trip, Picoseconds send_overhead, Picoseconds receive_overhead) {
  const Picoseconds one_way = std::max<Picoseconds>(round_trip, 0) / 2;
  send_overhead = std::max<Picoseconds>(send_overhead, 0);
  receive_overhead = std::max<Picoseconds>(receive_overhead, 0);
  if (send_overhead + receive_overhead > one_way) {
    const double part = static_cast<double>(send_overhead) / static_cast<double>(send_overhead + receive_overhead);
    send_overhead = std::llround(part * static_cast<double>(one_way));
    receive_overhead = one_way - send_overhead;
  }
  return {send_overhead, receive_overhead, one_way - send_overhead - receive_overhead};
}

std::vector<SmallMessage> measure_small_messages(const SampledPairs& pairs, Laboratory& laboratory, Bytes bytes) {
  using Kind = Experiment::Kind;
  const Repeat repeat{.precision = 0.01};
  const auto measure = [&](Kind kind) {
    return pairs.measure(laboratory, {.kind = kind, .there = bytes, .back = bytes}, repeat);
  };
  const std::vector<Picoseconds> round_trips = measure(Kind::round_trip);
  const std::vector<Picoseconds> sends = measure(Kind::send_overhead);
  const std::vector<Picoseconds> receives = measure(Kind::receive_overhead);
  std::vector<SmallMessage> found;
  for (std::size_t i = 0; i < round_trips.size(); ++i) {
    found.push_back(small_message(round_trips[i], sends[i], receives[i]));
  }
  return found;
}

}  // namespace tombolo
