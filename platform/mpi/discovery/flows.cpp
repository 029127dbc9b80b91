#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include <tombolo/platform.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>
#include <tombolo/platform/mpi/discovery/flows.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr int request_tag = 10;
constexpr int rate_tag = 11;
constexpr std::size_t least = 2;
constexpr std::size_t most = 7;
// So many totals in succession that agree are enough: connections that lost messages take some runs to become steady.
constexpr std::size_t steady = 3;
// Trial runs to find the message sizes of equal duration; in the first, hardly any flows overlap.
constexpr int fitting = 2;

// The least part of the time that stands out of noise: 1 / stands_out.
constexpr Picoseconds stands_out = 40;

void follow(Team& team, int leader, int to) {
  while (true) {
    RateRequest request;
    team.receive(leader, request, request_tag);
    if (request.bytes == 0) return;
    const BytesPerSecond rate = rate_of(request, team.probe.round_trip(to, request.bytes));
    team.send(leader, rate, rate_tag);
  }
}

// Returns the rate of each flow, all flows being concurrent.
Figures run_all(Team& team, const Flows& flows, const std::vector<LargeMessage>& messages) {
  std::vector<std::size_t> own;
  std::vector<int> partners;
  std::vector<Bytes> bytes;
  std::vector<RateRequest> requests;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto& [from, to] = flows[f];
    requests.push_back({.bytes = messages[f].bytes, .fixed = messages[f].fixed});
    if (from != team.rank) {
      team.send(from, requests[f], request_tag);
      continue;
    }
    own.push_back(f);
    partners.push_back(to);
    bytes.push_back(messages[f].bytes);
  }
  Figures rates(flows.size());
  const std::vector<Picoseconds> times = team.probe.round_trips_at_once(partners, bytes);
  for (std::size_t i = 0; i < own.size(); ++i) rates[own[i]] = rate_of(requests[own[i]], times[i]);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (flows[f].first != team.rank) team.receive(flows[f].first, rates[f], rate_tag);
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
    const RateRequest no_more;
    if (from != team.rank) team.send(from, no_more, request_tag);
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

BytesPerSecond rate_of(const RateRequest& request, Picoseconds time) {
  const Picoseconds bytes_take = time - request.fixed;
  return transfer_time(request.bytes, std::max<Picoseconds>(bytes_take < time / stands_out ? time : bytes_take, 1));
}

}  // namespace tombolo::discovery
