#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/models/kinds/multiport/ports_estimate.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/measuring/sample.hpp>

namespace tombolo {

namespace {

constexpr int whole = Network::whole;
constexpr double for_ports = 0.2;
constexpr double for_ways_back = 0.05;
// Duration of an exchange in seconds: long enough for the rate to dominate, short enough for a slow link; and the
// shortest that is worth measuring.
constexpr double long_enough = 0.05;
constexpr double too_short = 0.002;
constexpr Bytes largest = Bytes{1} << 22;
// Rates are differences of times and thus more sensitive to noise; six repetitions give an interval of the median.
const Repeat repeatedly{.least = 9, .part = for_ports};
// Relative difference below which rates count as equal.
constexpr double alike = 0.01;
constexpr double clear_gain = 1.25;
// Share of the reverse path, in thousandths: an upper bound for 40 bytes per segment of 536.
constexpr int usual_acknowledgements = 100;

BytesPerSecond port_of(const Platform& platform, const Routes& routes, Rank rank) {
  return platform.hosts[static_cast<std::size_t>(routes.host_of(rank))].rate.value;
}

// A rank on each host of a cluster, the host with the slowest port first.
std::vector<Rank> by_port(const Platform& platform, const PairClasses& classes, const Routes& routes, int cluster) {
  const auto order = [&](Rank rank) {
    const auto host = static_cast<std::size_t>(routes.host_of(rank));
    return std::pair(platform.hosts[host].rate.value, platform.hosts[host].latency.value);
  };
  std::vector<Rank> found;
  for (const Rank rank : classes.members(cluster)) {
    if (found.empty() || !classes.same_host(found.back(), rank)) found.push_back(rank);
  }
  std::ranges::stable_sort(found, [&](Rank a, Rank b) { return order(a) < order(b); });
  return found;
}

// Up to three hosts in a row in the order of their ports, of which the first is a sender and the others its partners.
struct Partners {
  std::vector<Rank> ranks = {};
  // Messages of the size to both partners share the port of the sender: both are on their way at the same time, as
  // their latencies differ by less than they take.
  bool overlap = false;
};

// From the middle of the order, as a partner much faster or slower than the others would distort the measurement, or as
// near to it as there are messages that overlap. Then others of other hosts, as hosts of some networks (a torus) send
// to different partners over different links.
std::vector<Partners> partners_of(const Platform& platform, const PairClasses& classes, const Routes& routes,
                                  int cluster, Bytes size) {
  constexpr std::size_t most = 4;
  constexpr Picoseconds small_part = 8;
  const std::vector<Rank> hosts = by_port(platform, classes, routes, cluster);
  const std::size_t number = std::min<std::size_t>(hosts.size(), 3);
  const std::size_t last = hosts.size() - number;
  const auto overlap = [&](std::size_t first) {
    if (number < 3 || size <= 0) return false;
    const Rank a = hosts[first];
    const Picoseconds one = routes.latency(a, hosts[first + 1]);
    const Picoseconds other = routes.latency(a, hosts[first + 2]);
    const BytesPerSecond port = port_of(platform, routes, a);
    return port > 0 && std::max(one, other) - std::min(one, other) <= transfer_time(size, port) / small_part;
  };
  const std::size_t middle = last / 2;
  std::vector<std::size_t> firsts(last + 1);
  std::iota(firsts.begin(), firsts.end(), std::size_t{0});
  std::ranges::stable_sort(
      firsts, {}, [&](std::size_t i) { return std::pair(!overlap(i), std::max(i, middle) - std::min(i, middle)); });
  std::vector<Partners> found;
  std::vector<char> used(hosts.size(), 0);
  for (const std::size_t first : firsts) {
    const auto flags = std::span(used).subspan(first, number);
    if (found.size() == most || std::ranges::find(flags, 1) != flags.end()) continue;
    if (!found.empty() && !overlap(first)) break;
    std::ranges::fill(flags, 1);
    const auto begin = hosts.begin() + static_cast<std::ptrdiff_t>(first);
    found.push_back({{begin, begin + static_cast<std::ptrdiff_t>(number)}, overlap(first)});
  }
  return found;
}

struct Trial {
  int cluster = 0;
  BytesPerSecond port = 0;
  BytesPerSecond backbone = 0;  // of the cluster, which both directions share; 0: none
  std::size_t first = 0;        // index of its first experiment
  std::size_t triplets = 0;     // one-to-two experiments, two each
  Bytes exchanged = 0;
};

double rate_of(Bytes bytes, const Measured& more, const Measured& less) {
  return static_cast<double>(bytes) / std::max(1.0, static_cast<double>(more.value - less.value)) *
         picoseconds_per_second;
}

// Relative error of rate_of(), from the intervals of its times.
double doubt(const Measured& more, const Measured& less) {
  return static_cast<double>(more.error + less.error) / std::max(1.0, static_cast<double>(more.value - less.value));
}

// Clusters without a measurement get the median of the others, or `otherwise`.
std::vector<int> filled(const std::vector<std::optional<int>>& figures, int otherwise) {
  std::vector<std::int64_t> known;
  for (const auto& figure : figures) {
    if (figure) known.push_back(*figure);
  }
  const int usual = known.empty() ? otherwise : static_cast<int>(median_of(known).value);
  std::vector<int> all;
  for (const auto& figure : figures) all.push_back(figure.value_or(usual));
  return all;
}

// The share of acknowledgements on the reverse path, from exchanges of all and half of the bytes, and messages of all
// and half of the bytes one way. Rates that differ within the noise give 0: where concurrent messages get a higher port
// rate than one, noise would appear as a large share.
int taken_back(const Trial& trial, int together, std::span<const Measured> times) {
  // An exchange gets half of a backbone each way.
  const auto at_most = [&](double rate) {
    return trial.backbone > 0 ? std::min(rate, static_cast<double>(trial.backbone) / 2) : rate;
  };
  const double port = at_most(static_cast<double>(trial.port) * together / whole);
  const Bytes half = trial.exchanged - trial.exchanged / 2;
  const double both_ways = rate_of(half, times[0], times[1]);
  const double one_way = at_most(rate_of(half, times[2], times[3]));
  const double noise = std::max(alike, doubt(times[0], times[1]) + doubt(times[2], times[3]));
  if (both_ways >= one_way * (1 - noise)) return 0;
  // Acknowledgements of a usual share take of the one message's way; what takes more fills the port.
  const bool usual = both_ways * (whole + usual_acknowledgements) >= one_way * whole;
  return static_cast<int>(std::lround(whole * std::clamp((usual ? one_way : port) / both_ways - 1, 0.0, 1.0)));
}

// What hosts' ports do, by cluster. `size`: a message whose send does not wait for its receive.
PlatformNetwork::Ports estimate_hosts(const Platform& platform, Bytes size, Laboratory& laboratory,
                                      std::vector<std::string>& left_out) {
  const PairClasses classes(platform);
  const auto clusters = static_cast<std::size_t>(classes.clusters());
  // Of a cluster, in turn: six experiments, the first timing of each unused. Other triplets are of other hosts.
  constexpr int timings = 6 * 10;
  const double fitting = std::min(long_enough, for_ports * laboratory.time_given() / timings);
  const bool hurried = fitting < too_short;
  // Without noise an exchange as short as that tells of an own way back.
  const double duration = std::max(fitting, too_short);
  const Routes routes(platform);
  const std::vector<const Level*> levels = tombolo::clusters(platform.levels);
  std::vector<Trial> trials;
  std::vector<Experiment> experiments;
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    const std::vector<Partners> partners = partners_of(platform, classes, routes, cluster, size / 2);
    const std::vector<Rank>& ranks = partners.front().ranks;
    if (ranks.size() < 2) continue;
    const Rank a = ranks[0];
    const Rank b = ranks[1];
    const BytesPerSecond rate = routes.rate(a, b);
    if (rate <= 0) continue;
    const Bytes bytes = std::clamp<Bytes>(std::llround(duration * static_cast<double>(rate)), 2, largest);
    trials.push_back({.cluster = cluster,
                      .port = port_of(platform, routes, a),
                      .backbone = levels[static_cast<std::size_t>(cluster)]->backbone.value,
                      .first = experiments.size(),
                      .exchanged = bytes});
    experiments.push_back({.kind = Experiment::Kind::exchange, .a = a, .b = b, .there = bytes});
    experiments.push_back({.kind = Experiment::Kind::exchange, .a = a, .b = b, .there = bytes / 2});
    experiments.push_back({.a = a, .b = b, .there = bytes});
    experiments.push_back({.a = a, .b = b, .there = bytes / 2});
    for (const auto& [three, overlap] : partners) {
      if (!overlap || hurried) continue;
      ++trials.back().triplets;
      for (const Bytes there : {size, size / 2}) {
        experiments.push_back(
            {.kind = Experiment::Kind::one_to_two, .a = three[0], .b = three[1], .c = three[2], .there = there});
      }
    }
  }
  if (!trials.empty() && hurried) {
    left_out.emplace_back("what ports do with several messages at a time");
    if (!laboratory.exact()) {
      trials.clear();
      experiments.clear();
    }
  }
  const std::vector<Measured> times =
      experiments.empty() ? std::vector<Measured>{} : laboratory.run(experiments, repeatedly);

  std::vector<std::optional<int>> together(clusters);
  std::vector<std::optional<int>> back(together.size());
  std::vector<Trial> suspects;
  std::vector<Experiment> again;
  for (const Trial& trial : trials) {
    const auto time = [&](std::size_t i) { return times[trial.first + i]; };
    const auto cluster = static_cast<std::size_t>(trial.cluster);
    for (std::size_t i = 0; i < trial.triplets; ++i) {
      const double two = 2 * rate_of(size - size / 2, time(4 + 2 * i), time(5 + 2 * i));
      const Rank sender = experiments[trial.first + 4 + 2 * i].a;
      const double more = two / static_cast<double>(port_of(platform, routes, sender));
      const int now = more < 1 + alike ? whole : static_cast<int>(std::lround(whole * std::min(more, 2.0)));
      // Of other hosts it counts only if it is clear.
      if (i == 0 || now > *together[cluster] * clear_gain) together[cluster] = now;
    }
    back[cluster] = taken_back(trial, together[cluster].value_or(whole), std::span(times).subspan(trial.first, 4));
    if (*back[cluster] > usual_acknowledgements) {
      suspects.push_back(trial);
      suspects.back().first = again.size();
      const auto first = experiments.begin() + static_cast<std::ptrdiff_t>(trial.first);
      again.insert(again.end(), first, first + 4);
    }
  }
  // Repeats suspiciously large shares: a half-duplex link shows the same share again, a disturbance does not.
  const std::vector<Measured> second = again.empty() ? std::vector<Measured>{} : laboratory.run(again, repeatedly);
  for (const Trial& trial : suspects) {
    const auto cluster = static_cast<std::size_t>(trial.cluster);
    const int now = taken_back(trial, together[cluster].value_or(whole), std::span(second).subspan(trial.first, 4));
    back[cluster] = std::min(*back[cluster], now);
  }
  return {.together = filled(together, whole), .back = filled(back, 0)};
}

// An exchange of some bytes between two clusters, and one message of these.
struct LinkTrial {
  int a = 0;  // the clusters
  int b = 0;
  std::array<Experiment, 2> experiments = {};
  Picoseconds answer = 0;  // what the empty answer to the message takes
  Picoseconds fixed = 0;   // what the message takes beside its bytes
  double duration = 0;     // of both, in seconds
};

// The links between clusters that there is time for, the shortest first; without noise, which takes many repetitions,
// one of each cluster in any case.
std::vector<LinkTrial> link_trials(const Platform& platform, const Multiport& model, const Laboratory& laboratory) {
  const PairClasses classes(platform);
  const Routes routes(platform);
  std::vector<Rank> fastest;  // by cluster
  for (int c = 0; c < classes.clusters(); ++c) fastest.push_back(by_port(platform, classes, routes, c).back());
  std::vector<LinkTrial> trials;
  for (int a = 0; a < classes.clusters(); ++a) {
    for (int b = a + 1; b < classes.clusters(); ++b) {
      const Rank from = fastest[static_cast<std::size_t>(a)];
      const Rank to = fastest[static_cast<std::size_t>(b)];
      const BytesPerSecond rate = routes.rate(from, to);
      if (rate <= 0) continue;
      const Picoseconds latency = routes.latency(from, to);
      const double lasting = std::max(seconds(latency), too_short);
      const Bytes bytes = std::clamp<Bytes>(std::llround(lasting * static_cast<double>(rate)), 1, largest);
      const MessageCost message = model.message(from, to, bytes);
      LinkTrial& trial = trials.emplace_back(LinkTrial{.a = a, .b = b});
      trial.experiments[0] = {.kind = Experiment::Kind::exchange, .a = from, .b = to, .there = bytes};
      trial.experiments[1] = {.a = from, .b = to, .there = bytes};
      trial.answer = train_time(model, to, from, 0, 1);
      trial.fixed = message.transit + message.receive_overhead;
      trial.duration = 2 * (4 * seconds(latency) + 2 * seconds(transfer_time(bytes, rate)));
    }
  }
  std::ranges::stable_sort(trials, {}, &LinkTrial::duration);
  const double most = for_ways_back * laboratory.time_given();
  std::vector<double> busy(static_cast<std::size_t>(classes.clusters()));
  std::erase_if(trials, [&](const LinkTrial& trial) {
    double& one = busy[static_cast<std::size_t>(trial.a)];
    double& other = busy[static_cast<std::size_t>(trial.b)];
    const double ends = std::max(one, other) + trial.duration;
    const bool first = laboratory.exact() && (one == 0 || other == 0);
    if (!first && ends > most) return true;
    one = other = ends;
    return false;
  });
  return trials;
}

// What messages between clusters take of the links of the way back (Ports::link_back); links that there is no time for
// as most of the others. Empty if none takes more than acknowledgements do.
std::vector<int> estimate_link_back(const Platform& platform, const Multiport& model, Laboratory& laboratory) {
  const Repeat repeat{.least = laboratory.exact() ? 1 : repeatedly.least, .part = for_ways_back};
  const PairClasses classes(platform);
  std::vector<std::optional<int>> shares(platform.links.size());
  const auto look = [&](const std::vector<LinkTrial>& trials) {
    std::vector<Experiment> all;
    for (const LinkTrial& trial : trials) all.insert(all.end(), trial.experiments.begin(), trial.experiments.end());
    const auto times = all.empty() ? std::vector<Measured>{} : laboratory.run(all, repeat);
    std::vector<LinkTrial> suspects;
    for (std::size_t i = 0; i < trials.size(); ++i) {
      const Picoseconds one_way = times[2 * i + 1].value - trials[i].answer;
      const Picoseconds more = times[2 * i].value - one_way;
      const double part =
          static_cast<double>(more) / static_cast<double>(std::max<Picoseconds>(one_way - trials[i].fixed, 1));
      const int share = static_cast<int>(std::lround(whole * std::clamp(part, 0.0, 1.0)));
      std::optional<int>& known = shares[link_index(trials[i].a, trials[i].b, classes.clusters())];
      const bool more_than_usual = share > usual_acknowledgements;
      known = more_than_usual ? std::min(share, known.value_or(whole)) : 0;
      if (more_than_usual) suspects.push_back(trials[i]);
    }
    return suspects;
  };
  const std::vector<LinkTrial> suspects = look(link_trials(platform, model, laboratory));
  // One link both ways is so again, a disturbance is not.
  if (!laboratory.exact() && !suspects.empty()) look(suspects);
  const bool any = std::ranges::any_of(shares, [](const std::optional<int>& share) { return share.value_or(0) > 0; });
  return any ? filled(shares, 0) : std::vector<int>{};
}

}  // namespace

PlatformNetwork::Ports estimate_ports(const Platform& platform, const Multiport& model, Laboratory& laboratory,
                                      std::vector<std::string>& left_out) {
  Bytes small = Bytes{1} << 16;
  for (const Multiport::Protocol& protocol : model.parameters().protocols) small = std::min(small, protocol.eager);
  small = std::max<Bytes>(small - small / 8, 0);  // not right at the limit, as for handshakes
  PlatformNetwork::Ports ports = estimate_hosts(platform, small, laboratory, left_out);
  ports.link_back = estimate_link_back(platform, model, laboratory);
  return ports;
}

}  // namespace tombolo
