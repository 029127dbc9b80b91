#include <algorithm>

#include <tombolo/platform/description/host_cores.hpp>
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

// Large enough to hide a rendezvous.
constexpr Bytes of_all_at_once = Bytes{1} << 20;
constexpr std::size_t times_of_all_at_once = 5;

// Sends to the next rank of a host and receives from the one before, the others of the host at the same time. Returns
// the time.
Picoseconds pass_on(Team& team, const std::vector<Rank>& ranks, std::vector<char>& buffer, Bytes bytes) {
  const auto at = static_cast<std::size_t>(std::ranges::find(ranks, team.rank) - ranks.begin());
  const Rank next = ranks[(at + 1) % ranks.size()];
  const Rank before = ranks[(at + ranks.size() - 1) % ranks.size()];
  const int count = static_cast<int>(bytes);
  const Picoseconds begin = machine::now();
  check_mpi(MPI_Sendrecv(buffer.data(), count, MPI_CHAR, next, 0, buffer.data() + of_all_at_once, count, MPI_CHAR,
                         before, 0, team.communicator, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  team.probe.count_message();
  return machine::now() - begin;
}

// Returns the total rate of messages that all ranks of a host pass on at once.
Measured rate_of_all_at_once(Team& team, const std::vector<Rank>& ranks) {
  std::vector<char> buffer(2 * static_cast<std::size_t>(of_all_at_once));
  const auto time_of = [&](Bytes bytes) {
    Figures times;
    // They arrive one after the other, and connections are made.
    for (std::size_t i = 0; i < ranks.size(); ++i) pass_on(team, ranks, buffer, 0);
    while (times.size() < (machine::simulated() ? 1 : times_of_all_at_once)) {
      times.push_back(pass_on(team, ranks, buffer, bytes));
    }
    return median_of(times);
  };
  const Measured empty = time_of(0);
  const Measured full = time_of(of_all_at_once);
  const Picoseconds bytes_take = full.value - empty.value;
  if (bytes_take <= 0) return {};  // on a busy machine
  const auto all = static_cast<Bytes>(ranks.size()) * of_all_at_once;
  const BytesPerSecond rate = transfer_time(all, bytes_take);
  const double part = static_cast<double>(full.error + empty.error) / static_cast<double>(bytes_take);
  return {.value = rate, .error = static_cast<BytesPerSecond>(static_cast<double>(rate) * std::min(part, 1.0))};
}

// The rate that the slowest pair of the host would get alone.
BytesPerSecond slowest_inside(const Level& level) {
  BytesPerSecond slowest = level.children.size() > 1 ? level.rate.value : 0;
  for (const Level& child : level.children) {
    const BytesPerSecond inside = slowest_inside(child);
    if (inside > 0) slowest = slowest == 0 ? inside : std::min(slowest, inside);
  }
  return slowest;
}

}  // namespace

std::vector<Measured> measure_inside_hosts(Team& team, const std::vector<Processor>& processors,
                                           std::vector<Level>& hosts, double bound) {
  std::vector<Measured> together(hosts.size());
  std::vector<Level*> levels;
  for (Level& host : hosts) collect(host, levels);
  Figures found;
  const std::vector<PairOfLevel> pairs = pairs_in(levels);
  if (pairs.empty()) return together;
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
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const std::vector<Rank>& ranks = hosts[h].ranks;
    const bool here = ranks.size() > 1 && std::ranges::binary_search(ranks, team.rank);
    if (!here || (!machine::simulated() && std::ssize(ranks) > cores_of(processors, ranks))) continue;
    const Measured total = rate_of_all_at_once(team, ranks);
    if (team.rank == ranks.front()) {
      found.insert(found.end(), {static_cast<std::int64_t>(levels.size() + h), 0, 0, 0, total.value, total.error});
    }
  }
  // Ranks that finish early sleep, since they must not take cores from the measuring ranks.
  MPI_Request done = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(team.communicator, &done), "MPI_Ibarrier");
  machine::wait_asleep(done);

  std::vector<Figure> latencies(levels.size());
  std::vector<Figure> rates(levels.size());
  for (const Figures& figures : gather(team, found)) {
    for (std::size_t at = 0; at < figures.size(); at += 6) {
      const auto level = static_cast<std::size_t>(figures[at]);
      if (level >= levels.size()) {
        together[level - levels.size()] = {.value = figures[at + 4], .error = figures[at + 5]};
        continue;
      }
      const int pass = static_cast<int>(figures[at + 1]);
      latencies[level].add(pass, {.value = figures[at + 2], .error = figures[at + 3]});
      rates[level].add(pass, {.value = figures[at + 4], .error = figures[at + 5]});
    }
  }
  for (std::size_t l = 0; l < levels.size() && team.rank == 0; ++l) {
    levels[l]->latency = latencies[l].delayed();
    levels[l]->rate = rates[l].combined();
  }
  for (std::size_t h = 0; h < hosts.size() && team.rank == 0; ++h) {
    const double alone = static_cast<double>(slowest_inside(hosts[h])) * static_cast<double>(hosts[h].ranks.size());
    const double most = static_cast<double>(together[h].value + together[h].error);
    if (most * (1 + bound) >= alone) together[h] = {};
  }
  return together;
}

}  // namespace tombolo::discovery
