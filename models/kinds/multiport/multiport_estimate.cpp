#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/models/experiments/eager_limits.hpp>
#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/models/kinds/multiport/ports_estimate.hpp>
#include <tombolo/models/network/platform_network.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr int whole = Network::whole;
// The parts of the laboratory's time for the stages of the estimation.
constexpr double for_limits = 0.25;
constexpr double for_receives = 0.05;
constexpr double for_handshakes = 0.25;
constexpr double for_arrivals = 0.15;
constexpr double for_header = 0.05;

// A pair of each class; its hosts are those that few other classes use, so that many pairs can be measured at the same
// time, and near each other, so that it takes little.
std::vector<SampledPair> pairs_of(const Platform& platform) {
  constexpr int most_compared = 8;
  const PairClasses classes(platform);
  const Routes routes(platform);
  std::vector<int> uses(platform.hosts.size());
  const auto used = [&](Rank rank) -> int& { return uses[static_cast<std::size_t>(routes.host_of(rank))]; };
  std::vector<SampledPair> pairs;
  for (int c = 0; c < classes.size(); ++c) {
    const auto candidates = classes.sample(c, most_compared);
    const auto [a, b] = *std::ranges::min_element(candidates, {}, [&](const auto& pair) {
      return std::pair(std::max(used(pair.first), used(pair.second)), routes.latency(pair.first, pair.second));
    });
    ++used(a);
    ++used(b);
    pairs.push_back({.a = a, .b = b, .latency = std::max<Picoseconds>(routes.latency(a, b), 1)});
    if (routes.rate(a, b) > 0) pairs.back().rate = routes.rate(a, b);
    pairs.back().inside_host = classes.same_host(a, b);
    pairs.back().receive_overhead = platform.processors[static_cast<std::size_t>(b)].receive_overhead;
  }
  return pairs;
}

int thousandths(Picoseconds time, Picoseconds latency) {
  constexpr double most = 1e6;  // bound for a latency close to 0
  return static_cast<int>(
      std::lround(std::clamp(1000.0 * static_cast<double>(time) / static_cast<double>(latency), 0.0, most)));
}

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

  // `guessed`: the number of pairs whose limit is that of their kind, without a sign that it is.
  std::vector<Multiport::Protocol> find(int& guessed) {
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
    guessed = not_tried + correct_limits(pairs_, first, left, laboratory_, limits_);
    correct_limits(pairs_, {unclear.begin(), unclear.end()}, left, laboratory_, limits_);
    std::erase_if(all, [&](std::size_t i) { return limits_[i].limit() == of_kind[i].limit(); });
    find_handshakes(all);
    find_arrivals();
    for (std::size_t i = 0; i < pairs_.size(); ++i) protocols_[i].eager = limits_[i].limit();
    return protocols_;
  }

  int synchronous_receive() const { return synchronous_receive_; }

 private:
  // On the pair that takes least, of two hosts if there is one. A library that moves the bytes while the receive waits
  // needs no less than for others.
  void find_synchronous_receive() {
    constexpr Picoseconds timings = 3 * 4;  // a round trip and a pause of two before each receive
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
    synchronous_receive_ = std::min(thousandths(time.value, pair.receive_overhead), whole);
  }

  Picoseconds saved_of_receive(std::size_t i) const {
    return scaled(pairs_[i].receive_overhead, whole - synchronous_receive_, whole);
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
      protocols_[i].handshake = seen ? thousandths(more, pairs_[i].latency) : 0;
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
      protocol.small_after_posting = thousandths(small, pair.latency);
      const Picoseconds moving = transfer_time(arrivals[2 * k + 1].there, pair.rate);
      const Picoseconds large = times[2 * k + 1].value - moving - pair.receive_overhead + saved_of_receive(which[k]);
      protocol.large_awaits = times[2 * k + 1].value > moving / 2;
      protocol.large_after_posting = thousandths(std::max<Picoseconds>(large, 0), pair.latency);
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
        is_journey(like.small_after_posting) ? like.small_after_posting : thousandths(small, pair.latency);
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

// The time of the second half of a train of messages of `bytes` bytes, of which there are `count`.
Measured second_half(const SampledPair& pair, Bytes bytes, int count, Laboratory& laboratory) {
  std::vector<Experiment> trains;
  for (const int number : {count, count / 2}) {
    trains.push_back({.kind = Experiment::Kind::train, .a = pair.a, .b = pair.b, .there = bytes, .count = number});
  }
  const std::vector<Measured> times = laboratory.run(trains, {.least = 4, .part = for_header / 3});
  return {times[0].value - times[1].value, times[0].error + times[1].error};
}

// What a message between hosts carries beside its own bytes: that with which the second half of a train takes as long
// as measured, between the hosts with the lowest rate, as it shows best there. 0 if trains of messages twice as large
// take another time than it says, so that something else is their limit, or if noise hides it.
Bytes estimate_header(const Platform& platform, const std::vector<SampledPair>& pairs,
                      const Multiport::Parameters& parameters, Laboratory& laboratory,
                      std::vector<std::string>& left_out) {
  constexpr Picoseconds usual_gap = picoseconds_per_second / 1'000'000;
  constexpr Bytes most = 1024;
  constexpr double nearly = 0.1;           // relative difference of times
  constexpr double latencies = 6 * 2 * 4;  // six trains, twice each if noisy, an answer and the meeting included
  const double longest = 2 * for_header * laboratory.time_given() / latencies;
  const Routes routes(platform);
  std::optional<std::size_t> thinnest;
  bool known = false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].inside_host || routes.rate(pairs[i].a, pairs[i].b) <= 0) continue;
    known = true;
    if (seconds(pairs[i].latency) > longest) continue;
    if (!thinnest || pairs[i].rate < pairs[*thinnest].rate) thinnest = i;
  }
  if (known && !thinnest) left_out.emplace_back("what messages carry beside their bytes");
  if (!thinnest) return 0;
  const SampledPair& pair = pairs[*thinnest];
  // So many that their gaps take as long as the latency, whose noise would hide them.
  const auto count = [&](Picoseconds gap) {
    return static_cast<int>(std::clamp<Picoseconds>(2 * pair.latency / std::max<Picoseconds>(gap, 1), 16, 128));
  };
  const int empty = count(usual_gap);
  const Picoseconds gap = second_half(pair, 0, empty, laboratory).value / (empty - empty / 2);
  // Takes twice as long as an empty message, so that the rate is the limit.
  const Bytes bytes = std::max<Bytes>(scaled(pair.rate, 2 * gap, picoseconds_per_second), 1);
  if (gap <= 0 || bytes > parameters.protocols[*thinnest].eager / 2) return 0;

  const int number = count(2 * gap);
  const auto predicted = [&](Bytes header, Bytes of) {
    Multiport::Parameters with = parameters;
    with.header = header;
    const Multiport model(platform, with);
    return train_time(model, pair.a, pair.b, of, number) - train_time(model, pair.a, pair.b, of, number / 2);
  };
  const Measured once = second_half(pair, bytes, number, laboratory);
  const Measured twice = second_half(pair, 2 * bytes, number, laboratory);
  const auto shorter = [&](Bytes header) { return predicted(header, bytes) < once.value; };
  const Bytes header = *std::ranges::partition_point(std::views::iota(Bytes{0}, most), shorter);
  const Picoseconds other = std::abs(predicted(header, 2 * bytes) - twice.value);
  const bool clear = once.value - predicted(0, bytes) > once.error && header < most;
  const bool so_too = static_cast<double>(other) <= nearly * static_cast<double>(twice.value);
  return clear && so_too ? header : 0;
}

Json written(const Platform& platform, const Multiport::Parameters& parameters) {
  Json json = written_by_class(ByClass<Multiport::Protocol>(platform, parameters.protocols), [](const auto& protocol) {
    Json entry;
    entry["waits_from"] = protocol.eager + 1;
    entry["handshake"] = protocol.handshake;
    if (protocol.small_awaits) entry["small_after_posting"] = protocol.small_after_posting;
    if (protocol.large_awaits) entry["large_after_posting"] = protocol.large_after_posting;
    return entry;
  });
  json["together"] = parameters.ports.together;
  json["back"] = parameters.ports.back;
  if (!parameters.ports.link_back.empty()) json["link_back"] = parameters.ports.link_back;
  if (parameters.header > 0) json["header"] = parameters.header;
  if (parameters.synchronous_receive < whole) json["synchronous_receive"] = parameters.synchronous_receive;
  if (!parameters.left_out.empty()) json["left_out"] = parameters.left_out;
  return json;
}

std::vector<int> figures(const JsonNode& list, int number, int least, int most, const char* of = "clusters") {
  std::vector<int> found;
  for (const JsonNode& node : list.list()) {
    found.push_back(node.small_integer());
    if (found.back() < least || found.back() > most) node.refuse(fmt::format("is not within {} and {}", least, most));
  }
  if (found.size() != static_cast<std::size_t>(number)) {
    list.refuse(fmt::format("has {} entries for {} {}", found.size(), number, of));
  }
  return found;
}

int not_negative(const JsonNode& node) {
  const int found = node.small_integer();
  if (found < 0) node.refuse("is negative");
  return found;
}

std::unique_ptr<Model> read(const Platform& platform, const Json& parameters) {
  const JsonDocument document = parameters_document("multiport", parameters);
  const JsonNode root(document);
  const PairClasses classes(platform);
  Multiport::Parameters found;
  for (const JsonNode& entry : entries_of_classes(root, classes)) {
    Multiport::Protocol protocol;
    const JsonNode waits_from = entry.member("waits_from");
    protocol.eager = waits_from.integer() - 1;
    if (protocol.eager < -1) waits_from.refuse("is negative");
    protocol.handshake = not_negative(entry.member("handshake"));
    const auto small = entry.find("small_after_posting");
    const auto large = entry.find("large_after_posting");
    protocol.small_awaits = small.has_value();
    protocol.large_awaits = large.has_value();
    if (small) protocol.small_after_posting = not_negative(*small);
    if (large) protocol.large_after_posting = not_negative(*large);
    found.protocols.push_back(protocol);
  }
  found.ports.together = figures(root.member("together"), classes.clusters(), 1, 2 * Network::whole);
  found.ports.back = figures(root.member("back"), classes.clusters(), 0, Network::whole);
  if (const auto link_back = root.find("link_back")) {
    found.ports.link_back = figures(*link_back, static_cast<int>(platform.links.size()), 0, Network::whole, "links");
  }
  if (const auto header = root.find("header")) found.header = not_negative(*header);
  if (const auto receive = root.find("synchronous_receive")) {
    found.synchronous_receive = receive->small_integer();
    if (found.synchronous_receive < 0 || found.synchronous_receive > whole) {
      receive->refuse(fmt::format("is not within 0 and {}", whole));
    }
  }
  if (const auto left_out = root.find("left_out")) {
    for (const JsonNode& node : left_out->list()) found.left_out.push_back(node.text());
  }
  found.memory_rate = memory_rate_of(platform);
  return std::make_unique<Multiport>(platform, std::move(found));
}

}  // namespace

Multiport::Parameters estimate_multiport(const Platform& platform, Laboratory& laboratory) {
  Multiport::Parameters parameters;
  const std::vector<SampledPair> pairs = pairs_of(platform);
  if (!pairs.empty()) {
    int guessed = 0;
    ProtocolSearch search(pairs, laboratory);
    parameters.protocols = search.find(guessed);
    parameters.synchronous_receive = search.synchronous_receive();
    if (guessed > 0) {
      parameters.left_out.push_back(fmt::format("eager limits of {} of {} classes of pairs", guessed, pairs.size()));
    }
  }
  parameters.ports = estimate_ports(platform, {platform, parameters}, laboratory, parameters.left_out);
  parameters.memory_rate = memory_rate_of(platform);
  parameters.header = estimate_header(platform, pairs, parameters, laboratory, parameters.left_out);
  return parameters;
}

const ModelKind multiport_model = {
    "multiport", "messages share ports and links at the level of flows; latencies and rates are the platform's",
    [](const Platform& platform, Laboratory& laboratory) {
      return written(platform, estimate_multiport(platform, laboratory));
    },
    read};

}  // namespace tombolo
