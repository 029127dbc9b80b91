#include <algorithm>
#include <cstddef>
#include <vector>

#include <tombolo/framework/transpose_time.hpp>
#include <tombolo/platform/routes.hpp>

namespace tombolo {
namespace {

using Rows = std::span<const std::int64_t>;

std::int64_t at(Rows rows, Rank rank) {
  return rows[static_cast<std::size_t>(rank)];
}

/// What some ranks have together.
struct Have {
  std::int64_t a = 0;
  std::int64_t b = 0;
};

class Clock {
 public:
  Clock(const TransposeRanks& ranks, const MatrixShape& a, Bytes element, Rows rows_of_a, Rows rows_of_b)
      : ranks_(ranks), a_(a), element_(element), rows_of_a_(rows_of_a), rows_of_b_(rows_of_b) {}

  Picoseconds time() {
    Picoseconds pack = 0;
    Picoseconds unpack = 0;
    for (Rank rank = 0; rank < ranks_.platform->ranks(); ++rank) {
      const auto place = static_cast<std::size_t>(rank);
      const Bytes packed = at(rows_of_a_, rank) * a_.columns * element_;
      const Bytes unpacked = at(rows_of_b_, rank) * a_.rows * element_;
      if (std::max(packed, unpacked) > ranks_.room[place] / 2) return never;
      pack = std::max(pack, transfer_time(packed, ranks_.memory[place]));
      unpack = std::max(unpack, transfer_time(unpacked, ranks_.memory[place]));
    }
    ports();
    levels(ranks_.platform->levels);
    links();
    return plus(plus(pack, exchange_), unpack);
  }

 private:
  Have sum(const std::vector<Rank>& some) const {
    Have have;
    for (const Rank rank : some) have = {have.a + at(rows_of_a_, rank), have.b + at(rows_of_b_, rank)};
    return have;
  }

  void crosses(std::int64_t elements, BytesPerSecond rate) {
    if (rate > 0) exchange_ = std::max(exchange_, transfer_time(elements * element_, rate));
  }

  /// To and from all others.
  void leaves(const Have& have, BytesPerSecond rate) {
    crosses(have.a * (a_.columns - have.b), rate);
    crosses(have.b * (a_.rows - have.a), rate);
  }

  void ports() {
    const Routes routes(*ranks_.platform);
    std::vector<Have> hosts(ranks_.platform->hosts.size());
    for (Rank rank = 0; rank < ranks_.platform->ranks(); ++rank) {
      Have& host = hosts[static_cast<std::size_t>(routes.host_of(rank))];
      host = {host.a + at(rows_of_a_, rank), host.b + at(rows_of_b_, rank)};
    }
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      leaves(hosts[host], ranks_.platform->hosts[host].rate.value);
    }
  }

  /// Uplinks of groups and clusters, messages between ranks of a host.
  void levels(const Level& level) {
    if (level.kind == Level::Kind::host) {
      const Have host = sum(level.ranks);
      for (const Rank rank : level.ranks) {
        crosses(at(rows_of_a_, rank) * (host.b - at(rows_of_b_, rank)), level.rate.value);
        crosses(at(rows_of_b_, rank) * (host.a - at(rows_of_a_, rank)), level.rate.value);
      }
      return;
    }
    if (level.uplink.value > 0) leaves(sum(level.ranks), level.uplink.value);
    for (const Level& child : level.children) levels(child);
  }

  void links() {
    std::vector<Have> have;
    std::vector<std::int64_t> hosts;  // that have anything
    for (const Level* cluster : clusters(ranks_.platform->levels)) {
      have.push_back(sum(cluster->ranks));
      hosts.push_back(std::count_if(cluster->children.begin(), cluster->children.end(), [&](const Level& host) {
        const Have of_host = sum(host.ranks);
        return of_host.a + of_host.b > 0;
      }));
    }
    for (const Link& link : ranks_.platform->links) {
      const auto one = static_cast<std::size_t>(link.a);
      const auto other = static_cast<std::size_t>(link.b);
      const std::int64_t pairs = std::min(hosts[one], hosts[other]);
      // What one message gets says nothing of what several share: then each pair of hosts has its rate.
      const bool shared = link.total.value > 0 && (link.flows > 1 || pairs == 1);
      const BytesPerSecond rate = shared ? link.total.value : several(link.rate.value, pairs);
      crosses(have[one].a * have[other].b, rate);
      crosses(have[other].a * have[one].b, rate);
    }
  }

  static BytesPerSecond several(BytesPerSecond rate, std::int64_t times) {
    BytesPerSecond together = 0;
    return __builtin_mul_overflow(rate, times, &together) ? never : together;
  }

  const TransposeRanks& ranks_;
  MatrixShape a_;
  Bytes element_;
  Rows rows_of_a_;
  Rows rows_of_b_;
  Picoseconds exchange_ = 0;
};

}  // namespace

Picoseconds transpose_time(const TransposeRanks& ranks, const MatrixShape& a, Bytes element, Rows rows_of_a,
                           Rows rows_of_b) {
  return Clock(ranks, a, element, rows_of_a, rows_of_b).time();
}

}  // namespace tombolo
