#include <algorithm>

#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/inside_hosts.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

// The number of pairs measured per level; neighbouring children of a level are alike.
constexpr std::size_t most_pairs = 3;
// Messages are measured in several passes, some time apart, since runs of the system's scheduler differ. Simulated
// hosts need only one pass.
constexpr int passes_where_noisy = 5;
constexpr Picoseconds between_passes = 20'000'000'000;

// Collects the levels inside a host with several children, in the same order on all ranks.
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

// The measurements at one level: values by pass and pair, and the error of each value.
class Figure {
 public:
  void add(int pass, Measured measured) {
    by_pass_.resize(std::max(by_pass_.size(), static_cast<std::size_t>(pass) + 1));
    by_pass_[static_cast<std::size_t>(pass)].push_back(measured.value);
    errors_.push_back(measured.error);
  }

  // Returns a figure that other processes on the host can only increase: the lower quartile of the passes. The interval
  // includes the fastest and the median pass.
  Measured delayed() const {
    if (by_pass_.empty()) return {};
    Figures of_passes;
    for (const Figures& of_pairs : by_pass_) of_passes.push_back(median_of(of_pairs).value);
    const std::int64_t value = quantile_of(of_passes, 0.25).value;
    const std::int64_t least = *std::min_element(of_passes.begin(), of_passes.end());
    const std::int64_t middle = median_of(of_passes).value;
    return {.value = value, .error = std::max({median_of(errors_).value, value - least, middle - value})};
  }

  // Returns the median; the interval covers the differences between passes, between pairs and between the messages of
  // one pair.
  Measured combined() const {
    Figures of_passes;
    std::int64_t error = median_of(errors_).value;
    for (const Figures& of_pairs : by_pass_) {
      const Measured pass = median_of(of_pairs);
      of_passes.push_back(pass.value);
      error = std::max(error, pass.error);
    }
    const Measured all = median_of(of_passes);
    return {.value = all.value, .error = std::max(error, all.error)};
  }

 private:
  std::vector<Figures> by_pass_;
  Figures errors_;
};

}  // namespace

void measure_inside_hosts(Team& team, std::vector<Level>& hosts) {
  std::vector<Level*> levels;
  for (Level& host : hosts) collect(host, levels);
  Figures found;
  const std::vector<PairOfLevel> pairs = pairs_in(levels);
  if (pairs.empty()) return;
  const int passes = machine::simulated() ? 1 : passes_where_noisy;
  const Picoseconds begin = machine::now();
  const Picoseconds end = team.until;
  for (int pass = 0; pass < passes; ++pass) {
    team.until = begin + (end - begin) / passes * (pass + 1);
    for (const PairOfLevel& pair : pairs) {
      if (team.rank == pair.b) team.probe.answer(pair.a);
      if (team.rank != pair.a) continue;
      if (pass > 0) machine::sleep(between_passes);
      const Measured trip = team.probe.round_trips(pair.b, 0, team.latency_repetition());
      const LargeMessage large = measure_large_message(team, pair.b);
      team.probe.end(pair.b);
      found.insert(found.end(), {static_cast<std::int64_t>(pair.level), pass, trip.value / 2, (trip.error + 1) / 2,
                                 large.rate.value, large.rate.error});
    }
  }
  team.until = end;
  // Ranks that finish early sleep, since they must not take cores from the measuring ranks.
  MPI_Request done = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(team.communicator, &done), "MPI_Ibarrier");
  machine::wait_asleep(done);

  std::vector<Figure> latencies(levels.size());
  std::vector<Figure> rates(levels.size());
  for (const Figures& figures : gather(team, found)) {
    for (std::size_t at = 0; at < figures.size(); at += 6) {
      const auto level = static_cast<std::size_t>(figures[at]);
      const int pass = static_cast<int>(figures[at + 1]);
      latencies[level].add(pass, {.value = figures[at + 2], .error = figures[at + 3]});
      rates[level].add(pass, {.value = figures[at + 4], .error = figures[at + 5]});
    }
  }
  for (std::size_t l = 0; l < levels.size() && team.rank == 0; ++l) {
    levels[l]->latency = latencies[l].delayed();
    levels[l]->rate = rates[l].combined();
  }
}

}  // namespace tombolo::discovery
