#include <algorithm>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/inside_hosts.hpp>
#include <tombolo/platform/mpi/discovery/rate.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo::discovery {

namespace {

// Neighbouring children of a level are alike; so many pairs of them show its figures.
constexpr std::size_t most_pairs = 3;

// The levels inside a host at which ranks differ, in an order that all ranks share.
void collect(Level& level, std::vector<Level*>& found) {
  if (level.children.size() > 1) found.push_back(&level);
  for (Level& child : level.children) collect(child, found);
}

struct PairOfLevel {
  std::size_t level;
  Rank a;
  Rank b;
};

std::vector<PairOfLevel> pairs_in(const std::vector<Level*>& levels) {
  std::vector<PairOfLevel> pairs;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const std::vector<Level>& children = levels[l]->children;
    for (std::size_t c = 0; c + 1 < children.size() && c < most_pairs; ++c) {
      pairs.push_back({l, children[c].ranks.front(), children[c + 1].ranks.front()});
    }
  }
  return pairs;
}

}  // namespace

void measure_inside_hosts(Team& team, std::vector<Level>& hosts) {
  std::vector<Level*> levels;
  for (Level& host : hosts) collect(host, levels);
  Figures found;
  for (const PairOfLevel& pair : pairs_in(levels)) {
    if (team.rank == pair.b) team.probe.answer(pair.a);
    if (team.rank != pair.a) continue;
    const Measured trip = team.probe.round_trips(pair.b, 0, team.latency_repetition());
    const LargeMessage large = measure_large_message(team, pair.b);
    team.probe.end(pair.b);
    found.insert(found.end(), {static_cast<std::int64_t>(pair.level), trip.value / 2, (trip.error + 1) / 2,
                               large.rate.value, large.rate.error});
  }
  // The ranks that are done first must not take the cores of those that measure.
  MPI_Request done = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(team.communicator, &done), "MPI_Ibarrier");
  machine::wait_asleep(done);

  struct Values {
    Figures latencies, latency_errors, rates, rate_errors;
  };
  std::vector<Values> values(levels.size());
  for (const Figures& figures : gather(team, found)) {
    for (std::size_t at = 0; at < figures.size(); at += 5) {
      Values& of_level = values[static_cast<std::size_t>(figures[at])];
      of_level.latencies.push_back(figures[at + 1]);
      of_level.latency_errors.push_back(figures[at + 2]);
      of_level.rates.push_back(figures[at + 3]);
      of_level.rate_errors.push_back(figures[at + 4]);
    }
  }
  // The interval covers what differs between pairs and what differs between messages of one pair.
  const auto combined = [](const Figures& of_pairs, const Figures& errors) {
    const Measured between = median_of(of_pairs);
    return Measured{.value = between.value, .error = std::max(between.error, median_of(errors).value)};
  };
  for (std::size_t l = 0; l < levels.size() && team.rank == 0; ++l) {
    levels[l]->latency = combined(values[l].latencies, values[l].latency_errors);
    levels[l]->rate = combined(values[l].rates, values[l].rate_errors);
  }
}

}  // namespace tombolo::discovery
