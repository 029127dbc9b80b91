#include <algorithm>
#include <cstdint>
#include <map>

#include <tombolo/collectives/predict/even_network.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

Picoseconds saturated(Wide time) {
  return static_cast<Picoseconds>(std::min<Wide>(time, never));
}

// The growth of the set of hosts that have some information, one of which has it at time 0.
class Spreading {
 public:
  Spreading(int ranks_per_host, Picoseconds gap, Picoseconds hop) : per_host_(ranks_per_host), gap_(gap), hop_(hop) {
    arrivals_[hop_] = per_host_;
  }
  std::int64_t reached() const { return reached_; }
  // The time of the next arrivals. Without a gap all hosts are reached by then.
  Picoseconds next() const { return arrivals_.begin()->first; }
  void advance(std::int64_t enough) {
    const auto [now, senders] = *arrivals_.begin();
    arrivals_.erase(arrivals_.begin());
    const std::int64_t news = gap_ == 0 ? enough : std::min(senders, enough);
    reached_ = std::min(reached_ + news, enough);
    arrivals_[plus(now, std::max<Picoseconds>(gap_, 1))] += senders;
    arrivals_[plus(now, std::max<Picoseconds>(hop_, 1))] += std::min(news * per_host_, enough);
  }

 private:
  std::int64_t per_host_;
  Picoseconds gap_, hop_;
  std::int64_t reached_ = 1;
  std::map<Picoseconds, std::int64_t> arrivals_;  // messages that arrive at a time, each followed by another
};

}  // namespace

Picoseconds spreading_time(int others, int ranks_per_host, Picoseconds gap, Picoseconds hop) {
  Spreading spreading(ranks_per_host, gap, hop);
  Picoseconds now = 0;
  while (spreading.reached() <= others) {
    now = spreading.next();
    spreading.advance(others + 1);
  }
  return now;
}

Picoseconds copying_time(const EvenNetwork& network, Bytes bytes, BytesPerSecond rate, Picoseconds gap) {
  const std::int64_t others = network.hosts - 1;
  if (others < 1 || bytes == 0) return 0;
  // The source sends bytes / copies(w) at a time; w grows until all have left.
  Wide left = static_cast<Wide>(bytes) * picoseconds_per_second;  // in bytes of time 1 / rate
  Spreading spreading(network.ranks_per_host, gap, network.hop());
  Picoseconds lag = 0;
  while (spreading.reached() < others) {
    const std::int64_t copies = (others + spreading.reached() - 1) / spreading.reached();
    const Picoseconds next = spreading.next();
    const Wide leaves = static_cast<Wide>(next - lag) * rate / copies;
    if (leaves >= left) return plus(network.hop(), plus(lag, saturated(left * copies / rate)));
    left -= leaves;
    lag = next;
    spreading.advance(others);
  }
  return plus(network.hop(), plus(lag, saturated(left / rate)));
}

Picoseconds combining_time(const EvenNetwork& network, Bytes bytes) {
  if (network.hosts < 2 || bytes == 0) return 0;
  const Wide others = network.hosts - 1;
  const Wide vector = static_cast<Wide>(bytes) * others * picoseconds_per_second / network.all_rates;
  const Wide direct = vector * network.hosts;
  const Wide relayed = (direct + others * network.hop()) / network.hosts;
  return plus(network.hop(), saturated(std::max(2 * vector, std::min(direct, relayed))));
}

Picoseconds prefix_time(const EvenNetwork& network, Bytes bytes) {
  if (network.hosts < 2 || bytes == 0) return 0;
  const Wide hosts = network.hosts;
  const Picoseconds hop = network.hop();
  const Wide rate = network.all_rates;
  const Wide each = static_cast<Wide>(bytes) * picoseconds_per_second;
  // Whether the messages fit into the ports of all hosts from one hop less than the end on.
  const auto fits = [&](Picoseconds flowing) {
    // Messages of an element that others can still follow.
    const Wide early = flowing < hop ? 0 : std::min<Wide>(hosts - 1, (rate * (flowing - hop) + each - 1) / each);
    const Wide staged = early + (hosts - 1 - early) * (hosts - early) / 2;
    const Wide depth = hop > 0 ? plus(flowing, hop) / hop : hosts;
    const Wide deep = hosts - 1 + std::max<Wide>(0, hosts - 2 - depth);
    return std::max(staged, deep) * each <= rate * flowing;
  };
  Picoseconds low = 0;
  Picoseconds high = saturated(2 * hosts * each / rate + 2 * static_cast<Wide>(hop) + 1);
  while (low < high) {
    const Picoseconds middle = low + (high - low) / 2;
    if (fits(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return plus(hop, low > 0 ? low - 1 : 0);
}

}  // namespace tombolo
