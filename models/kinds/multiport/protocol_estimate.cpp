#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/kinds/multiport/protocol_estimate.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr int whole = Network::whole;
// The parts of the laboratory's time for the stages of the estimation.
constexpr double for_limits = 0.25;
constexpr double for_receives = 0.05;
constexpr double for_handshakes = 0.25;
constexpr double for_arrivals = 0.15;

// The sizes at which a protocol with this limit is looked at. Without a limit, messages of up to 4 MB over the slowest
// links would be measured in vain.
Bytes reference(Bytes limit) {
  return limit >= largest_limit ? Bytes{64} : std::clamp<Bytes>(limit + limit / 16 + 1, 64, largest_limit / 2);
}

// Finds the protocols of some pairs, and remembers what it had no time for.
class ProtocolSearch {
 public:
  ProtocolSearch(const std::vector<SampledPair>& pairs, Laboratory& laboratory)
      : pairs_(pairs), laboratory_(laboratory), protocols_(pairs.size()) {}

  Protocols find() {
    const TimeLeft left(laboratory_, for_limits);
    limits_ = limits_by_kind(pairs_, left, laboratory_);
    const std::vector<EagerLimit> of_kind = limits_;
    find_synchronous_receive();
    std::vector<std::size_t> all(pairs_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const int not_tried = find_handshakes(all);
    // Where nothing changes at the limit of the kind, the pair may have another one.
    constexpr int clear = 250;  // thousandths of the latency
    const auto unclear =
        std::ranges::stable_partition(all, [&](std::size_t i) { return protocols_[i].handshake < clear; });
    const std::vector<std::size_t> first(all.begin(), unclear.begin());
    const int guessed = not_tried + correct_limits(pairs_, first, left, laboratory_, limits_);
    correct_limits(pairs_, {unclear.begin(), unclear.end()}, left, laboratory_, limits_);
    std::erase_if(all, [&](std::size_t i) { return limits_[i].limit() == of_kind[i].limit(); });
    find_handshakes(all);
    find_arrivals();
    for (std::size_t i = 0; i < pairs_.size(); ++i) protocols_[i].eager = limits_[i].limit();
    return {protocols_, synchronous_receive_, guessed};
  }

 private:
  // On the pair that takes least, of two hosts if there is one. A library that moves the bytes while the receive waits
  // needs no less than for others.
  void find_synchronous_receive() {
    constexpr int timings = 3 * 4;  // a round trip and a pause of two before each receive
    std::optional<std::size_t> nearest;
    const auto duration = [&](std::size_t i) {
      return timings * pairs_[i].expected(2 * reference(limits_[i].limit()));
    };
    const auto order = [&](std::size_t i) { return std::pair(pairs_[i].inside_host, duration(i)); };
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const bool known = limits_[i].own && limits_[i].limit() != no_eager_limit;
      if (!known || pairs_[i].receive_overhead == 0) continue;
      if (!nearest || order(i) < order(*nearest)) nearest = i;
    }
    if (!nearest || seconds(duration(*nearest)) > for_receives * laboratory_.time_given()) return;
    const SampledPair& pair = pairs_[*nearest];
    const Experiment receive{.kind = Experiment::Kind::receive_overhead,
                             .a = pair.b,
                             .b = pair.a,
                             .back = 2 * reference(limits_[*nearest].limit())};
    const Measured time = laboratory_.run(std::span(&receive, 1), {.part = for_receives}).front();
    synchronous_receive_ = std::min(thousandths_of(pair.receive_overhead, time.value), whole);
  }

  Picoseconds saved_of_receive(std::size_t i) const {
    return saved_if_synchronous(pairs_[i].receive_overhead, synchronous_receive_);
  }

  // The difference between messages on both sides of the limit; not right at it, as libraries (and SimGrid's factors)
  // may change something else a few bytes before.
  // Returns the number of pairs without a measurement of their own: they are like the one of their kind whose latency
  // is nearest.
  int find_handshakes(const std::vector<std::size_t>& which) {
    std::vector<std::size_t> limited;
    for (const std::size_t i : which) {
      protocols_[i].handshake = 0;
      if (limits_[i].limit() != no_eager_limit) limited.push_back(i);
    }
    const auto others = in_time(limited);
    measure_handshakes({limited.begin(), others});
    for (const std::size_t i : std::span(others, limited.end())) {
      const auto factor = [&](std::size_t other) {
        const auto [least, most] = std::minmax({pairs_[i].latency, pairs_[other].latency});
        return std::pair(pairs_[i].inside_host != pairs_[other].inside_host,
                         static_cast<double>(most) / static_cast<double>(least));
      };
      protocols_[i].handshake = protocols_[*std::ranges::min_element(limited.begin(), others, {}, factor)].handshake;
    }
    return static_cast<int>(limited.end() - others);
  }

  static std::pair<Bytes, Bytes> around(const EagerLimit& limit) {
    const Bytes eager = std::max<Bytes>(limit.eager, 0);
    return {eager - eager / 8, limit.waiting + limit.waiting / 8};
  }

  // Puts the pairs whose handshakes there is time for first, and returns the first of the others: the shortest that
  // take no host longer than the time for all, and in any case one of each kind and fourfold latency.
  std::vector<std::size_t>::iterator in_time(std::vector<std::size_t>& limited) const {
    constexpr Picoseconds timings = 4;  // two of both sizes
    const double most = for_handshakes * laboratory_.time_given();
    const auto duration = [&](std::size_t i) {
      return seconds(timings * pairs_[i].expected(around(limits_[i]).second));
    };
    std::ranges::stable_sort(limited, {}, duration);
    std::map<Rank, double> busy;
    std::set<std::pair<bool, int>> seen;
    return std::stable_partition(limited.begin(), limited.end(), [&](std::size_t i) {
      const SampledPair& pair = pairs_[i];
      const double ends = std::max(busy[pair.a], busy[pair.b]) + duration(i);
      const int fours = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pair.latency))) / 2;
      if (!seen.insert({pair.inside_host, fours}).second && ends > most) return false;
      busy[pair.a] = busy[pair.b] = ends;
      return true;
    });
  }

  void measure_handshakes(std::span<const std::size_t> limited) {
    std::vector<Experiment> trips;
    for (const std::size_t i : limited) {
      const auto [eager, waiting] = around(limits_[i]);
      for (const Bytes bytes : {eager, waiting}) {
        trips.push_back({.a = pairs_[i].a, .b = pairs_[i].b, .there = bytes});
      }
    }
    const std::vector<Measured> times = laboratory_.run(trips, {.part = for_handshakes / 2});
    for (std::size_t k = 0; k < limited.size(); ++k) {
      const std::size_t i = limited[k];
      const Measured& small = times[2 * k];
      const Measured& large = times[2 * k + 1];
      const Picoseconds more = large.value - small.value -
                               transfer_time(trips[2 * k + 1].there - trips[2 * k].there, pairs_[i].rate) +
                               saved_of_receive(i);
      const bool seen = more > small.error + large.error;
      protocols_[i].handshake = seen ? thousandths_of(pairs_[i].latency, more) : 0;
    }
  }

  // What happens to messages whose receiver is late, on the pairs for which there is time; at least on the fastest of
  // each kind.
  void find_arrivals() {
    const auto duration = [&](std::size_t i) {
      return 2 * seconds(plus(arrival(i, 1).delay, arrival(i, 2 * reference(limits_[i].limit())).delay));
    };
    std::vector<std::size_t> order(pairs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return duration(a) < duration(b); });
    double left = for_arrivals * laboratory_.time_given();
    std::vector<std::size_t> measured;
    std::vector<std::size_t> others;
    std::array<bool, 2> any = {};  // by inside_host
    for (const std::size_t i : order) {
      bool& first = any[pairs_[i].inside_host ? 1 : 0];
      if (first && left < duration(i)) {
        others.push_back(i);
        continue;
      }
      left -= duration(i);
      measured.push_back(i);
      first = true;
    }
    measure_arrivals(measured);
    const std::vector<std::size_t> contrasts = contrasting(measured, others);
    measure_arrivals(contrasts);
    measured.insert(measured.end(), contrasts.begin(), contrasts.end());
    for (const std::size_t i : others) {
      if (std::ranges::find(contrasts, i) == contrasts.end()) guess_arrival(i, measured);
    }
  }

  Experiment arrival(std::size_t i, Bytes bytes) const {
    return pairs_[i].with_late_receiver(Experiment::Kind::late_arrival, bytes);
  }

  void measure_arrivals(const std::vector<std::size_t>& which) {
    if (which.empty()) return;
    std::vector<Experiment> arrivals;
    for (const std::size_t i : which) {
      arrivals.push_back(arrival(i, 1));
      arrivals.push_back(arrival(i, 2 * reference(limits_[i].limit())));
    }
    const std::vector<Measured> times = laboratory_.run(arrivals, late_receiver);
    for (std::size_t k = 0; k < which.size(); ++k) {
      const SampledPair& pair = pairs_[which[k]];
      Multiport::Protocol& protocol = protocols_[which[k]];
      const Picoseconds small = std::max<Picoseconds>(times[2 * k].value - pair.receive_overhead, 0);
      protocol.small_awaits = small > pair.latency / 2;
      protocol.small_after_posting = thousandths_of(pair.latency, small);
      const Picoseconds moving = transfer_time(arrivals[2 * k + 1].there, pair.rate);
      const Picoseconds large = times[2 * k + 1].value - moving - pair.receive_overhead + saved_of_receive(which[k]);
      protocol.large_awaits = times[2 * k + 1].value > moving / 2;
      protocol.large_after_posting = thousandths_of(pair.latency, std::max<Picoseconds>(large, 0));
    }
  }

  // What takes a latency after a late receive is a journey, or a processor that happens to take as long. Only a pair of
  // a clearly longer latency tells which, and only then is the other pairs' guess sure: the shortest such experiment of
  // each kind, where the pairs measured leave the question open.
  std::vector<std::size_t> contrasting(const std::vector<std::size_t>& measured,
                                       const std::vector<std::size_t>& others) const {
    constexpr Picoseconds clearly = 4;
    std::vector<std::size_t> found;
    for (const bool inside : {false, true}) {
      Picoseconds longest = 0;
      bool open = false;
      for (const std::size_t i : measured) {
        if (pairs_[i].inside_host != inside || pairs_[i].latency < longest) continue;
        longest = pairs_[i].latency;
        open = is_journey(protocols_[i].small_after_posting);
      }
      const auto longer = std::ranges::find_if(others, [&](std::size_t i) {
        return pairs_[i].inside_host == inside && pairs_[i].latency / clearly >= longest;
      });
      if (open && longer != others.end()) found.push_back(*longer);
    }
    return found;
  }

  // True if a time is as long as a message is under way, but for errors of latencies.
  static bool is_journey(int thousandths_of_latency) { return thousandths_of_latency >= whole - whole / 10; }

  // A pair is like the measured one of its kind whose latency is the longest of those that are not above its own.
  // Journeys take the latency of the pair, what is less than a journey is time of a processor and the same everywhere.
  void guess_arrival(std::size_t i, const std::vector<std::size_t>& measured) {
    const SampledPair& pair = pairs_[i];
    const auto better = [&](std::size_t one, std::size_t other) {
      const Picoseconds a = pairs_[one].latency;
      const Picoseconds b = pairs_[other].latency;
      return a <= pair.latency ? b > pair.latency || b < a : b > a;
    };
    std::optional<std::size_t> nearest;
    for (const std::size_t m : measured) {
      if (pairs_[m].inside_host == pair.inside_host && (!nearest || better(m, *nearest))) nearest = m;
    }
    const Multiport::Protocol& like = protocols_[*nearest];
    Multiport::Protocol& guess = protocols_[i];
    const Picoseconds small = scaled(like.small_after_posting, pairs_[*nearest].latency, whole);
    guess.small_after_posting =
        is_journey(like.small_after_posting) ? like.small_after_posting : thousandths_of(pair.latency, small);
    guess.small_awaits = like.small_awaits && 2 * guess.small_after_posting > whole;
    // A rendezvous is over as long after the receive as it takes more, or a journey later, if the bytes then start.
    const int later = like.large_after_posting - like.handshake;
    guess.large_awaits = guess.handshake > 0 || like.large_awaits;
    guess.large_after_posting = guess.handshake + (is_journey(later) ? later : 0);
  }

  const std::vector<SampledPair>& pairs_;
  Laboratory& laboratory_;
  std::vector<EagerLimit> limits_;
  std::vector<Multiport::Protocol> protocols_;
  int synchronous_receive_ = whole;
};

}  // namespace

Protocols estimate_protocols(const std::vector<SampledPair>& pairs, Laboratory& laboratory) {
  return ProtocolSearch(pairs, laboratory).find();
}

}  // namespace tombolo
