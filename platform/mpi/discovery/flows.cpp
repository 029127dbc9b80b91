#include <algorithm>
#include <numeric>
#include <utility>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/flows.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo::discovery {

namespace {

constexpr int go_tag = 10;
constexpr int rate_tag = 11;
constexpr std::size_t least = 2;
constexpr std::size_t most = 7;
// Runs that show how long messages must be to last equally long: the first with hardly any of them together.
constexpr int fitting = 2;
constexpr Bytes shortest = Bytes{64} * 1024;

// What the first sender tells the others: how much to send, what of the time is fixed; 0 bytes: no more.
struct Go {
  Bytes bytes = 0;
  Picoseconds fixed = 0;
};

BytesPerSecond run(Team& team, int to, const Go& go) {
  const Picoseconds time = team.probe.round_trip(to, go.bytes);
  return transfer_time(go.bytes, std::max<Picoseconds>(time - go.fixed, 1));
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
    const BytesPerSecond rate = run(team, to, go);
    send(team, leader, &rate, sizeof rate, rate_tag);
  }
}

// What each flow got, all at once.
Figures run_all(Team& team, const Flows& flows, const std::vector<LargeMessage>& messages) {
  for (std::size_t f = 1; f < flows.size(); ++f) {
    const Go go{.bytes = messages[f].bytes, .fixed = messages[f].fixed};
    send(team, flows[f].first, &go, sizeof go, go_tag);
  }
  Figures rates(flows.size());
  rates[0] = run(team, flows[0].second, {.bytes = messages[0].bytes, .fixed = messages[0].fixed});
  for (std::size_t f = 1; f < flows.size(); ++f) receive(team, flows[f].first, &rates[f], sizeof rates[f], rate_tag);
  return rates;
}

std::vector<Measured> lead(Team& team, const Flows& flows, std::vector<LargeMessage> messages,
                           const FlowOptions& options) {
  for (int i = 0; !messages.empty() && options.lasting > 0 && i < fitting; ++i) {
    const Figures rates = run_all(team, flows, messages);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const double bytes =
          static_cast<double>(rates[f]) * static_cast<double>(options.lasting) / picoseconds_per_second;
      messages[f].bytes = std::clamp(static_cast<Bytes>(bytes), shortest, team.probe.largest());
    }
  }
  std::vector<Figures> rates(flows.size());
  Figures totals;
  const auto is_done = [&] {
    if (messages.empty()) return true;
    if (totals.empty() || totals.back() >= options.enough) return !totals.empty();
    if (totals.size() < least) return false;
    return totals.size() == most || machine::now() > team.until || is_precise(median_of(totals), team.precision);
  };
  while (!is_done()) {
    const Figures once = run_all(team, flows, messages);
    for (std::size_t f = 0; f < flows.size(); ++f) rates[f].push_back(once[f]);
    totals.push_back(std::accumulate(once.begin(), once.end(), BytesPerSecond{0}));
  }
  for (std::size_t f = 1; f < flows.size(); ++f) {
    const Go no_more;
    send(team, flows[f].first, &no_more, sizeof no_more, go_tag);
  }
  std::vector<Measured> found;
  for (const Figures& rate : rates) found.push_back(median_of(rate));
  return found;
}

}  // namespace

std::vector<Measured> measure_flows(Team& team, const Flows& flows, std::vector<LargeMessage> messages,
                                    FlowOptions options) {
  std::vector<Measured> found;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const auto& [from, to] = flows[f];
    if (team.rank == to) team.probe.answer(from);
    if (team.rank != from) continue;
    if (f == 0) {
      found = lead(team, flows, std::move(messages), options);
    } else {
      follow(team, flows[0].first, to);
    }
    team.probe.end(to);
  }
  return found;
}

}  // namespace tombolo::discovery
