#include <algorithm>
#include <numeric>
#include <utility>

#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/flows.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr int go_tag = 10;
constexpr int rate_tag = 11;
constexpr std::size_t least = 2;
constexpr std::size_t most = 7;
// Trial runs to find the message sizes of equal duration; in the first, hardly any flows overlap.
constexpr int fitting = 2;
constexpr Bytes shortest = Bytes{64} * 1024;

// The parameters from the first sender to the others: the message size and the fixed part of the time; 0 bytes: stop.
struct Go {
  Bytes bytes = 0;
  Picoseconds fixed = 0;
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

// Returns the total rate of all flows in one run.
BytesPerSecond total_of(Team& team, const Flows& flows, const std::vector<LargeMessage>& messages,
                        const FlowOptions& options) {
  if (options.lasting > 0) {
    const Figures rates = run_together(team, flows, messages);
    return std::accumulate(rates.begin(), rates.end(), BytesPerSecond{0});
  }
  const Figures rates = run_all(team, flows, messages);
  std::vector<FlowTime> times;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const Picoseconds time = transfer_time(messages[f].bytes, std::max<BytesPerSecond>(rates[f], 1));
    times.push_back(
        {.bytes = messages[f].bytes, .time = std::max<Picoseconds>(time, 1), .alone = messages[f].rate.value});
  }
  return shared_rate(times);
}

Measured lead(Team& team, const Flows& flows, std::vector<LargeMessage> messages, const FlowOptions& options) {
  for (int i = 0; !messages.empty() && options.lasting > 0 && i < fitting; ++i) {
    const Figures rates = run_all(team, flows, messages);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const double bytes =
          static_cast<double>(rates[f]) * static_cast<double>(options.lasting) / picoseconds_per_second;
      messages[f].bytes = std::clamp(static_cast<Bytes>(bytes), shortest, team.probe.largest() / 2);
    }
  }
  Figures totals;
  const auto is_done = [&] {
    if (messages.empty()) return true;
    if (totals.empty() || totals.back() >= options.enough) return !totals.empty();
    if (totals.size() < least) return false;
    return totals.size() == most || machine::now() > team.until || is_precise(median_of(totals), team.precision);
  };
  while (!is_done()) totals.push_back(total_of(team, flows, messages, options));
  for (const auto& [from, to] : flows) {
    const Go no_more;
    if (from != team.rank) send(team, from, &no_more, sizeof no_more, go_tag);
  }
  return median_of(totals);
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

}  // namespace tombolo::discovery
