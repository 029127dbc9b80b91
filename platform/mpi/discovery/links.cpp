#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/description/link_ways.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/links.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr int go_tag = 10;
constexpr int rate_tag = 11;
constexpr std::size_t least = 2;
constexpr std::size_t most = 7;
// So many totals in succession that agree are enough: connections that lost messages take some runs to become steady.
constexpr std::size_t steady = 3;
// Trial runs to find the message sizes of equal duration; in the first, hardly any flows overlap.
constexpr int fitting = 2;

// The parameters from the first sender to the others: the message size and the fixed part of the time; 0 bytes: stop.
struct Go {
  Bytes bytes = 0;
  Picoseconds fixed = 0;
  BytesPerSecond enough = std::numeric_limits<BytesPerSecond>::max();  // a rate that need not be measured again
};

// If the noise hides the transfer time, only an upper bound is known: the transfer ended before the reply came.
constexpr Picoseconds stands_out = 40;  // minimum part of the time: 1 / stands_out

BytesPerSecond rate_of(const Go& go, Picoseconds time) {
  const Picoseconds bytes_take = time - go.fixed;
  return transfer_time(go.bytes, std::max<Picoseconds>(bytes_take < time / stands_out ? time : bytes_take, 1));
}

void send(const Team& team, int to, const void* what, std::size_t bytes, int tag) {
  check_mpi(MPI_Send(what, static_cast<int>(bytes), MPI_BYTE, to, tag, team.communicator), "MPI_Send");
}

void receive(const Team& team, int from, void* what, std::size_t bytes, int tag) {
  check_mpi(MPI_Recv(what, static_cast<int>(bytes), MPI_BYTE, from, tag, team.communicator, MPI_STATUS_IGNORE),
            "MPI_Recv");
}

void follow(Team& team, int leader, int to) {
  while (true) {
    Go go;
    receive(team, leader, &go, sizeof go, go_tag);
    if (go.bytes == 0) return;
    const BytesPerSecond rate = rate_of(go, team.probe.round_trip(to, go.bytes));
    send(team, leader, &rate, sizeof rate, rate_tag);
  }
}

// Returns the rate of each flow, all flows being concurrent.
Figures run_all(Team& team, const Flows& flows, const std::vector<LargeMessage>& messages) {
  std::vector<std::size_t> own;
  std::vector<int> partners;
  std::vector<Bytes> bytes;
  std::vector<Go> go;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto& [from, to] = flows[f];
    go.push_back({.bytes = messages[f].bytes, .fixed = messages[f].fixed});
    if (from != team.rank) {
      send(team, from, &go[f], sizeof go[f], go_tag);
      continue;
    }
    own.push_back(f);
    partners.push_back(to);
    bytes.push_back(messages[f].bytes);
  }
  Figures rates(flows.size());
  const std::vector<Picoseconds> times = team.probe.round_trips_at_once(partners, bytes);
  for (std::size_t i = 0; i < own.size(); ++i) rates[own[i]] = rate_of(go[own[i]], times[i]);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (flows[f].first != team.rank) receive(team, flows[f].first, &rates[f], sizeof rates[f], rate_tag);
  }
  return rates;
}

// Returns the rate of each flow while all flows are in transit, from the additional time of twice the bytes: the flows
// neither begin nor end together, but equally so in both runs.
Figures run_together(Team& team, const Flows& flows, const std::vector<LargeMessage>& messages) {
  std::vector<LargeMessage> longer = messages;
  for (LargeMessage& message : longer) message.bytes = std::min(2 * message.bytes, team.probe.largest());
  const Figures before = run_all(team, flows, messages);
  Figures rates = run_all(team, flows, longer);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const Picoseconds both = transfer_time(longer[f].bytes, rates[f]);
    const Picoseconds more = both - transfer_time(messages[f].bytes, before[f]);
    if (more > both / stands_out) rates[f] = transfer_time(longer[f].bytes - messages[f].bytes, more);
  }
  return rates;
}

// Returns true if some flows got so much more of their own rate than others that they were over while the others had
// all of a line, as over links of different lengths.
bool are_unlike(const Figures& rates, const std::vector<LargeMessage>& messages) {
  constexpr double clearly = 2;
  std::vector<double> parts;
  for (std::size_t f = 0; f < rates.size(); ++f) {
    const auto alone = static_cast<double>(std::max<BytesPerSecond>(messages[f].rate.value, 1));
    parts.push_back(static_cast<double>(rates[f]) / alone);
  }
  const auto [lowest, highest] = std::ranges::minmax(parts);
  return highest > clearly * lowest;
}

// Returns the total rate of all flows in one run.
BytesPerSecond total_of(Team& team, const Flows& flows, const std::vector<LargeMessage>& messages,
                        const FlowOptions& options) {
  const bool lasts = options.lasting > 0;
  const Figures rates = lasts ? run_together(team, flows, messages) : run_all(team, flows, messages);
  if (lasts && !are_unlike(rates, messages)) return std::accumulate(rates.begin(), rates.end(), BytesPerSecond{0});
  std::vector<FlowTime> times;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const Picoseconds time = transfer_time(messages[f].bytes, std::max<BytesPerSecond>(rates[f], 1));
    times.push_back(
        {.bytes = messages[f].bytes, .time = std::max<Picoseconds>(time, 1), .alone = messages[f].rate.value});
  }
  return shared_rate(times);
}

// What several messages together are to get at least: nine tenths of the first alone, or of all if they are slower.
BytesPerSecond nearly_one(const std::vector<LargeMessage>& messages) {
  BytesPerSecond all = 0;
  for (const LargeMessage& message : messages) all += message.rate.value;
  return messages.empty() ? 0 : std::min(messages.front().rate.value, all) * 9 / 10;
}

Measured lead(Team& team, const Flows& flows, std::vector<LargeMessage> messages, const FlowOptions& options) {
  for (int i = 0; !messages.empty() && options.lasting > 0 && !team.quick && i < fitting; ++i) {
    const Figures rates = run_all(team, flows, messages);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const double bytes =
          static_cast<double>(rates[f]) * static_cast<double>(options.lasting) / picoseconds_per_second;
      messages[f].bytes = std::clamp(static_cast<Bytes>(bytes), least_of_flow, team.probe.largest() / 2);
    }
  }
  const bool idle_before = options.lasting == 0 && !machine::simulated();
  // The others may arrive late, and connections that were idle are slow at first.
  if (!messages.empty() && idle_before) run_all(team, flows, messages);
  const BytesPerSecond expected = idle_before ? nearly_one(messages) : 0;
  Figures totals;
  Measured total;
  for (std::size_t runs = 1; !messages.empty(); ++runs) {
    totals.push_back(total_of(team, flows, messages, options));
    // Some stay slow for several runs (TCP's slow start, losses): those that got less than one message would do not
    // count beside others, and the time that is over does not end them.
    const bool slow = totals.back() < expected;
    if (!slow) std::erase_if(totals, [&](BytesPerSecond rate) { return rate < expected; });
    total = median_of(slow ? std::span(totals).last(std::min(steady, totals.size())) : std::span(totals));
    if (totals.back() >= options.enough) break;
    if (team.quick) {
      // Others can only delay.
      total.value = std::ranges::max(totals);
      if (runs >= (machine::simulated() ? 1 : steady)) break;
      continue;
    }
    if (runs == most) break;
    if (slow || totals.size() < least) continue;
    total = steady_median(totals, steady, team.precision).value_or(total);
    if (machine::now() > team.until || is_precise(total, team.precision)) break;
  }
  for (const auto& [from, to] : flows) {
    const Go no_more;
    if (from != team.rank) send(team, from, &no_more, sizeof no_more, go_tag);
  }
  return total;
}

}  // namespace

Measured measure_flows(Team& team, const Flows& flows, std::vector<LargeMessage> messages, FlowOptions options) {
  Measured found;
  if (flows.empty()) return found;
  for (const auto& [from, to] : flows) {
    if (team.rank == to) team.probe.answer(from);
  }
  const int leader = flows.front().first;
  if (team.rank == leader) found = lead(team, flows, std::move(messages), options);
  for (const auto& [from, to] : flows) {
    if (team.rank != from) continue;
    if (from != leader) follow(team, leader, to);
    team.probe.end(to);
  }
  return found;
}

namespace {

// From this number of flows, half the message size shows how the flows share a link.
constexpr std::size_t many_flows = 8;

// Returns the size of each of several messages such that they end in time even if their total rate is only that of one
// message: two runs in the time left, or one run of twice the time of one message if no time is left.
LargeMessage one_of_many(const LargeMessage& one, std::size_t flows, Picoseconds left) {
  LargeMessage each = one;
  if (flows >= many_flows) each.bytes /= 2;
  const BytesPerSecond rate = std::max<BytesPerSecond>(one.rate.value, 1);
  const Picoseconds time = std::max(left / 2, 2 * transfer_time(one.bytes, rate));
  const double bytes = seconds(time) * static_cast<double>(rate) / static_cast<double>(flows);
  each.bytes = std::min(each.bytes, std::max(least_of_flow, static_cast<Bytes>(bytes)));
  return each;
}

// Returns the bytes of each of several messages that a link carries together in the fixed part of the time of one.
Bytes bytes_under_way(const LargeMessage& one, const Flows& flows) {
  const double bytes = seconds(one.fixed) * static_cast<double>(one.rate.value);
  return static_cast<Bytes>(bytes / static_cast<double>(flows.size()));
}

// Lowers the expected rate if one of the two hosts is slower than the hosts of the single message.
void slow_down(LargeMessage& message, const std::pair<int, int>& flow, const std::vector<BytesPerSecond>& ports) {
  for (const int host : {flow.first, flow.second}) {
    const auto at = static_cast<std::size_t>(host);
    if (at < ports.size() && ports[at] > 0) message.rate.value = std::min(message.rate.value, ports[at]);
  }
}

// Corrects an uncertain total that is below the rate of one message: messages got lost while connections were new.
Measured at_least_one(Measured total, const Measured& one) {
  constexpr double certain = 0.1;
  if (total.value >= one.value || is_precise(total, certain)) return total;
  return {.value = one.value, .error = std::max(one.error, one.value - total.value)};
}

// Connections that were idle are slow at first.
constexpr int connection_tries = 3;

// Lets the partner measure the rate of a message the other way; of 0 bytes: not, and returns 0.
BytesPerSecond ask_back(Team& team, int partner, const LargeMessage& message) {
  const Go go{.bytes = message.bytes, .fixed = message.fixed, .enough = message.rate.value / 5 * 4};
  send(team, partner, &go, sizeof go, go_tag);
  if (go.bytes == 0) return 0;
  team.probe.answer(partner);
  BytesPerSecond rate = 0;
  receive(team, partner, &rate, sizeof rate, rate_tag);
  return rate;
}

void answer_back(Team& team, int partner) {
  Go go;
  receive(team, partner, &go, sizeof go, go_tag);
  if (go.bytes == 0) return;
  constexpr Bytes part = 8;  // it may be far slower this way
  go.bytes = std::min(go.bytes, std::max(go.bytes / part, least_of_flow));
  BytesPerSecond rate = 0;
  for (int tries = machine::simulated() ? 1 : connection_tries; tries > 0 && rate < go.enough; --tries)
    rate = std::max(rate, rate_of(go, team.probe.round_trip(partner, go.bytes)));
  for (int tries = machine::simulated() ? 1 : 2; tries > 0 && rate < go.enough; --tries)
    rate = std::max(rate, measure_large_message(team, partner).rate.value);
  team.probe.end(partner);
  send(team, partner, &rate, sizeof rate, rate_tag);
}

// Lowers the figures, which are of the first direction, if the other one is slower.
void lower_to_slower_way(LinkRates& link) {
  if (link.back >= link.there || !differ_by_way({link.there, link.back})) return;
  const double part = static_cast<double>(link.back) / static_cast<double>(link.there);
  for (Measured* figure : {&link.one.rate, &link.total}) {
    figure->value = static_cast<BytesPerSecond>(part * static_cast<double>(figure->value));
    figure->error = static_cast<BytesPerSecond>(part * static_cast<double>(figure->error));
  }
}

// Returns true if a message may be clearly faster than its link was found to be.
bool may_be_faster(Team& team, int partner, const LinkRates& link) {
  constexpr Bytes bytes = Bytes{128} * 1024;
  constexpr double clearly = 1.2;
  const auto said = static_cast<double>(transfer_time(bytes, std::max<BytesPerSecond>(link.there, 1)));
  const Picoseconds empty = team.probe.round_trip(partner, 0);
  for (int tries = machine::simulated() ? 1 : connection_tries; tries > 0; --tries) {
    const Picoseconds without_rendezvous = team.probe.round_trip(partner, bytes) - 2 * empty;
    if (static_cast<double>(without_rendezvous) * clearly < said) return true;
  }
  return false;
}

constexpr std::size_t figures_per_link = 10;

LinkRates read_link(const Figures& figures, std::size_t at) {
  return {.one = {.rate = {.value = figures[at + 1], .error = figures[at + 2]},
                  .fixed = figures[at + 3],
                  .bytes = figures[at + 4]},
          .total = {.value = figures[at + 5], .error = figures[at + 6]},
          .flows = static_cast<int>(figures[at + 7]),
          .there = figures[at + 8],
          .back = figures[at + 9]};
}

// Returns the hosts of a cluster for messages to cluster `other`, in the order in which they are used. Where one flow
// suffices, messages to different clusters have different hosts, so that they are measured at the same time; hosts with
// less than half the rate of the first are not used then.
std::vector<int> hosts_for(int other, const std::vector<int>& hosts, const LinkOptions& options) {
  if (!options.one_flow) return hosts;
  const auto port = [&](int host) {
    const auto at = static_cast<std::size_t>(host);
    return at < options.ports.size() ? options.ports[at] : 0;
  };
  std::vector<int> good;
  for (const int host : hosts) {
    if (2 * port(host) >= port(hosts.front())) good.push_back(host);
  }
  std::rotate(good.begin(), good.begin() + other % std::ssize(good), good.end());
  return good;
}

// Returns the number of further hosts there that the first host here can send to at the rate of one message.
std::size_t beyond_pairs(const std::vector<int>& here, const std::vector<int>& there, const LinkRates* rough,
                         const LinkOptions& options) {
  const auto first = static_cast<std::size_t>(here.front());
  if (options.one_flow || rough == nullptr || rough->one.rate.value <= 0 || first >= options.ports.size()) return 0;
  const std::size_t pairs = std::min(here.size(), most_flows);
  const std::size_t others = std::min(there.size(), most_flows) - std::min(there.size(), pairs);
  const BytesPerSecond messages = options.ports[first] / rough->one.rate.value;
  return std::min(others, static_cast<std::size_t>(std::max<BytesPerSecond>(messages - 1, 0)));
}

LinkRates turned_round(LinkRates link) {
  std::swap(link.there, link.back);
  return link;
}

// Measures the link between clusters of these hosts, the first one of which here sends to as many `further` hosts.
// Returns its rates on that host, which leads, unless it is late; nothing on the others.
std::optional<LinkRates> measure_link(Team& team, const std::vector<int>& here, const std::vector<int>& there,
                                      std::size_t further, const LinkRates* rough, bool late,
                                      const LinkOptions& options) {
  Flows flows;
  const std::size_t wanted = options.one_flow ? 1 : most_flows;
  for (std::size_t f = 0; f < std::min({here.size(), there.size(), wanted}); ++f) flows.emplace_back(here[f], there[f]);
  // A few fast hosts may fill a link to many slow ones.
  for (std::size_t f = 0; f < further; ++f) flows.emplace_back(here.front(), there[here.size() + f]);
  if (team.rank == there.front()) {
    team.probe.answer(here.front());
    answer_back(team, here.front());
  }
  const bool leads = team.rank == here.front();
  LinkRates link;
  bool asks_back = false;
  std::vector<LargeMessage> messages;
  if (leads && !late) {
    if (rough != nullptr) link = *rough;
    const bool doubtful =
        options.if_faster ? may_be_faster(team, there.front(), link) : !again_is_costly(team, link.one);
    const bool again = rough == nullptr || (doubtful && (options.if_faster || !team.quick));
    if (again) {
      link.one = measure_large_message(team, there.front());
      link.there = link.one.rate.value;
    } else {
      link.one.rate.value = link.there;
    }
    asks_back = again || differ_by_way({link.there, link.back});
    link.flows = static_cast<int>(flows.size());
    messages.assign(flows.size(), one_of_many(link.one, flows.size(), team.until - machine::now()));
    for (std::size_t f = 0; f < flows.size(); ++f) slow_down(messages[f], flows[f], options.ports);
  }
  if (leads) {
    team.probe.end(there.front());
    // What kept a message for a moment does not keep both looks at it.
    link.back = std::max(link.back, ask_back(team, there.front(), asks_back ? link.one : LargeMessage{}));
  }
  link.total = link.one.rate;
  if (flows.size() > 1) {
    FlowOptions together;
    if (team.quick) {
      // Messages that are over before the last has begun would not have met.
      for (LargeMessage& message : messages) message.bytes = std::max(message.bytes, bytes_under_way(link.one, flows));
      together.lasting = long_enough(messages, 2);
    }
    link.total = at_least_one(measure_flows(team, flows, messages, together), link.one.rate);
    if (team.quick && link.total.value < link.one.rate.value) link.total = link.one.rate;  // others can only delay
  }
  if (!leads || late) return {};
  lower_to_slower_way(link);
  return link;
}

}  // namespace

std::vector<LinkRates> measure_links(Team& team, const std::vector<std::vector<int>>& clusters,
                                     const std::vector<std::vector<std::pair<int, int>>>& rounds,
                                     const LinkOptions& options) {
  const int count = static_cast<int>(clusters.size());
  Figures found;
  FairShares shares(team, rounds.size());
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    // Clusters of one group may share a link, so a round begins after the end of the previous one; without such groups
    // there is no wait.
    if (options.apart && !in_time(team, shares.over())) break;
    shares.next();
    if (team.rank == 0) team.progress(fmt::format("{} of {} rounds", round + 1, rounds.size()));
    for (const auto& [a, b] : rounds[round]) {
      const std::size_t at = link_index(a, b, count);
      std::vector<int> here = hosts_for(b, clusters[static_cast<std::size_t>(a)], options);
      std::vector<int> there = hosts_for(a, clusters[static_cast<std::size_t>(b)], options);
      std::optional<LinkRates> rough;
      if (at < options.rough.size()) rough = options.rough[at];
      const LinkRates* const known = rough ? &*rough : nullptr;
      const std::size_t one_way = beyond_pairs(here, there, known, options);
      const std::size_t other_way = beyond_pairs(there, here, known, options);
      const bool turned = other_way > one_way;
      if (turned) {
        std::swap(here, there);
        rough = turned_round(*rough);
      }
      auto link = measure_link(team, here, there, std::max(one_way, other_way), known, shares.over(), options);
      if (!link) continue;
      if (turned) link = turned_round(*link);
      found.insert(found.end(),
                   {static_cast<std::int64_t>(at), link->one.rate.value, link->one.rate.error, link->one.fixed,
                    link->one.bytes, link->total.value, link->total.error, link->flows, link->there, link->back});
    }
  }
  const Figures all = everybodys(team, found);
  std::vector<LinkRates> links(clusters.size() * (clusters.size() - 1) / 2);
  for (std::size_t at = 0; at < all.size(); at += figures_per_link) {
    links[static_cast<std::size_t>(all[at])] = read_link(all, at);
  }
  return links;
}

bool is_filled_by_hosts(const LinkRates& link, BytesPerSecond slower, double bound) {
  return static_cast<double>(link.one.rate.value) * (1 + bound) >= static_cast<double>(slower);
}

void last(std::vector<LargeMessage>& messages, Picoseconds time, Bytes at_most) {
  for (LargeMessage& message : messages) {
    const double bytes = seconds(time) * static_cast<double>(message.rate.value);
    message.bytes = std::clamp(static_cast<Bytes>(bytes), least_of_flow, at_most);
  }
}

Picoseconds long_enough(const std::vector<LargeMessage>& messages, Picoseconds latencies) {
  Picoseconds longest = 0;
  for (const LargeMessage& message : messages) {
    const Picoseconds alone = transfer_time(message.bytes, std::max<BytesPerSecond>(message.rate.value, 1));
    longest = std::max({longest, alone, latencies * message.fixed});
  }
  return longest;
}

}  // namespace tombolo::discovery
