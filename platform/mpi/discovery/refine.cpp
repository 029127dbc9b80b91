#include <algorithm>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include <tombolo/platform/clustering/noise.hpp>
#include <tombolo/platform/measuring/shuffle_alike.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/latency.hpp>
#include <tombolo/platform/mpi/discovery/refine.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr int turn_tag = 0;
constexpr int passes = 2;
// The round trips of a pair in the time plan, and the time for sleeping ranks to notice their turn.
constexpr int repetitions = 20;
constexpr Picoseconds meeting = 10'000'000'000;

// Measures pairs in channels, in an order known to all ranks: pair i is measured after pair i - lanes, whose leader
// passes the turn. All ranks take their pairs in that order, so a wait is always for an earlier pair, without deadlock.
class Lanes {
 public:
  // `turns`: a separate communicator of the same ranks, since an answering rank takes any message of its partner.
  Lanes(Team& team, MPI_Comm turns, std::vector<HostPair> pairs, std::size_t lanes)
      : team_(&team), turns_(turns), pairs_(std::move(pairs)), lanes_(lanes) {}

  // Returns (partner, round trip, error) of the pairs led by this rank.
  Figures run(Picoseconds until) {
    Figures found;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto& [leader, partner] = pairs_[i];
      if (team_->rank == partner) team_->probe.answer(leader);
      if (team_->rank != leader) continue;
      if (i >= lanes_) await_turn(pairs_[i - lanes_].first);
      const Picoseconds now = machine::now();
      if (now < until) {
        Repetition repetition = team_->latency_repetition();
        // The remaining pairs of this channel share the remaining time.
        repetition.until = now + (until - now) / static_cast<Picoseconds>((pairs_.size() - i - 1) / lanes_ + 1);
        const Measured trip = team_->probe.round_trips(partner, 0, repetition);
        found.insert(found.end(), {partner, trip.value, trip.error});
      }
      team_->probe.end(partner);
      if (i + lanes_ < pairs_.size()) pass_turn(pairs_[i + lanes_].first);
    }
    return found;
  }

 private:
  void await_turn(int from) const {
    if (from == team_->rank) return;
    MPI_Request turn = MPI_REQUEST_NULL;
    check_mpi(MPI_Irecv(nullptr, 0, MPI_CHAR, from, turn_tag, turns_, &turn), "MPI_Irecv");
    machine::wait_asleep(turn);
  }
  void pass_turn(int to) const {
    if (to == team_->rank) return;
    check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, to, turn_tag, turns_), "MPI_Send");
    team_->probe.count_message();
  }

  Team* team_;
  MPI_Comm turns_;
  std::vector<HostPair> pairs_;
  std::size_t lanes_;
};

// Returns the lower of two latencies, since disturbances only delay; the difference enters the error.
Measured lower(Measured a, Measured b) {
  const Measured& less = a.value < b.value ? a : b;
  return {.value = less.value, .error = std::max(less.error, std::abs(a.value - b.value))};
}

// Returns the number of channels, followed by the pairs; the same on all ranks.
Figures plan(const Team& team, const Latencies& latencies, double bound, Picoseconds until) {
  Figures figures;
  const Picoseconds left = until - machine::now();
  if (team.rank == 0 && left > 0) {
    std::vector<HostPair> pairs = unsure_pairs(latencies, bound);
    // Shuffled, since in the order of hosts all channels would wait for the same host.
    std::mt19937 random(static_cast<unsigned>(pairs.size()));
    shuffle_alike(pairs, random);
    if (pairs.empty()) return broadcast(team, std::move(figures));
    figures.push_back(least_lanes(latencies, pairs, repetitions, meeting, left));
    for (const auto& [a, b] : pairs) figures.insert(figures.end(), {a, b});
    team.progress(fmt::format("{} pairs once more, {} at a time", pairs.size(), figures.front()));
  }
  return broadcast(team, std::move(figures));
}

}  // namespace

void refine_latencies(Team& team, Overheads mine, Latencies& latencies, double bound) {
  if (machine::simulated()) return;
  const Picoseconds begin = machine::now();
  MPI_Comm turns = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(team.communicator, &turns), "MPI_Comm_dup");
  Latencies before(0);
  for (int pass = 0; pass < passes; ++pass) {
    const Picoseconds until = begin + (team.until - begin) / passes * (pass + 1);
    const Figures planned = plan(team, latencies, bound, until);
    if (planned.size() < 2) break;
    std::vector<HostPair> pairs;
    for (std::size_t at = 1; at + 1 < planned.size(); at += 2) {
      pairs.emplace_back(static_cast<int>(planned[at]), static_cast<int>(planned[at + 1]));
    }
    Lanes lanes(team, turns, pairs, static_cast<std::size_t>(planned.front()));
    Latencies now(latencies.hosts());
    enter_latencies(team, mine, lanes.run(until), now);
    for (const auto& [a, b] : pairs) {
      if (team.rank != 0) break;
      const auto again = now.between(a, b);
      if (!again) continue;
      // The first pass replaces latencies measured with many pairs at a time; from the second pass on, differences are
      // due to the machine and enter the error.
      const auto last = pass > 0 ? before.between(a, b) : std::nullopt;
      latencies.set(a, b, last ? lower(*again, *last) : *again);
    }
    before = latencies;
  }
  check_mpi(MPI_Comm_free(&turns), "MPI_Comm_free");
}

}  // namespace tombolo::discovery
