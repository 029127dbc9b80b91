#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include <tombolo/platform/clustering/latencies.hpp>
#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/latency.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

// Returns the one-way latency of the links: half the round trip after subtraction of the overheads at both ends.
Measured one_way(Measured round_trip, Picoseconds overheads) {
  return {.value = std::max<Picoseconds>((round_trip.value - overheads) / 2, 0), .error = (round_trip.error + 1) / 2};
}

}  // namespace

void enter_latencies(const Team& team, const AllOverheads& overheads, const Figures& round_trips,
                     Latencies& latencies) {
  // The maximum of both overheads, since the timed receive finds the message already there and misses the processor
  // time of its arrival.
  Figures larger;
  for (const Overheads& one : overheads.of_hosts) larger.push_back(std::max(one.send, one.receive));
  latencies.set_overhead(median_of(larger).value);
  const auto processing = [&](std::size_t host) {
    return overheads.of_hosts[host].send + overheads.of_hosts[host].receive;
  };
  const std::vector<Figures> all = gather(team, round_trips);
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t i = 0; i + 2 < all[r].size(); i += 3) {
      const auto partner = static_cast<std::size_t>(all[r][i]);
      const Measured trip{.value = all[r][i + 1], .error = all[r][i + 2]};
      latencies.set(static_cast<int>(r), static_cast<int>(partner), one_way(trip, processing(r) + processing(partner)));
    }
  }
}

namespace {

// Returns the partners of this rank, round by round. Hosts with neighbouring numbers are often near in the network and
// would meet in the same rounds, which would be the busiest. Hence the numbers are shuffled, equally on all ranks. In a
// simulation busy rounds do no harm, and the order stays.
std::vector<int> partners_of(const Team& team) {
  std::vector<int> players(static_cast<std::size_t>(team.size));
  std::iota(players.begin(), players.end(), 0);
  std::mt19937 random(static_cast<unsigned>(team.size));
  if (!machine::simulated()) shuffle_alike(players, random);
  const auto me = std::find(players.begin(), players.end(), team.rank) - players.begin();
  std::vector<int> partners = tournament(static_cast<int>(me), team.size);
  for (int& partner : partners) partner = partner < 0 ? -1 : players[static_cast<std::size_t>(partner)];
  return partners;
}

}  // namespace

Latencies measure_all_latencies(Team& team, const AllOverheads& overheads) {
  Figures found;
  const std::vector<int> partners = partners_of(team);
  const Picoseconds begin = machine::now();
  for (std::size_t round = 0; round < partners.size(); ++round) {
    const int partner = partners[round];
    if (team.rank == 0) team.progress(std::to_string(round + 1) + " of " + std::to_string(partners.size()) + " rounds");
    if (partner < 0) continue;
    if (team.rank > partner) {
      team.probe.answer(partner);
      continue;
    }
    Repetition repetition = team.latency_repetition();
    // In step, all pairs of a simulated round would send at once and wait for each other at a thin link. Real ranks are
    // never in step, and pairs in doubt are measured again.
    if (machine::simulated()) repetition.pause = 16 * overheads.longest * team.size;
    // Each round gets an equal share of the time.
    repetition.until =
        begin + (team.until - begin) / static_cast<Picoseconds>(partners.size()) * static_cast<Picoseconds>(round + 1);
    const Measured trip = team.probe.round_trips(partner, 0, repetition);
    team.probe.end(partner);
    found.insert(found.end(), {partner, trip.value, trip.error});
  }
  Latencies latencies(team.rank == 0 ? team.size : 0);
  enter_latencies(team, overheads, found, latencies);
  return latencies;
}

namespace {

constexpr int ping_tag = 0;
constexpr int pong_tag = 1;
constexpr std::size_t pings_each = 3;
// Of receives for pings: one for each rank, since a ping under way over a long link may keep one occupied.
constexpr std::int64_t most_slots = 1024;
// A round trip is long if it takes so many times as long as a landmark needs to answer all ranks.
constexpr Picoseconds far = 8;

// The pings from this rank to landmarks, and the replies that it owes if it is a landmark. All landmarks are pinged at
// once first. What shows in these times, beside the link, is the queue at the landmark: of little weight in a long
// round trip, so the far landmarks are pinged at once again, and only the near ones one after the other. Ranks begin at
// random times, which spreads the pings, but for landmarks, which would keep others waiting.
class Pinging {
 public:
  Pinging(const Team& team, std::vector<int> targets, std::int64_t owed, Picoseconds processing,
          Picoseconds longest_delay)
      : team_(&team),
        targets_(std::move(targets)),
        begun_(targets_.size()),
        times_(targets_.size()),
        slots_(static_cast<std::size_t>(std::min({owed, std::int64_t{team.size}, most_slots}))),
        requests_(slots_ + targets_.size(), MPI_REQUEST_NULL),
        owed_(owed),
        processing_(processing),
        far_(far * processing * team.size),
        longest_delay_(longest_delay),
        random_(static_cast<unsigned>(team.rank)) {}

  Figures run() {
    // Receives for many pings are posted at once: some MPI libraries start a transfer when the receive is posted.
    for (std::size_t slot = 0; slot < slots_; ++slot) await_ping(slot);
    std::vector<std::size_t> all(targets_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    ping_at_once(all);
    const auto near =
        std::ranges::stable_partition(all, [&](std::size_t target) { return times_[target].front() > far_; });
    for (std::size_t ping = 1; ping < pings_each; ++ping) ping_at_once({all.begin(), near.begin()});
    for (const std::size_t target : near) {
      while (times_[target].size() < pings_each) ping_at_once({target});
    }
    while (serve()) {
    }
    return found();
  }

 private:
  bool landmark() const { return owed_ > 0; }

  void ping_at_once(const std::vector<std::size_t>& targets) {
    const auto longest = longest_delay_ * static_cast<Picoseconds>(targets.size());
    if (!landmark()) pause(random_, longest + 1);
    for (const std::size_t target : targets) ping(target);
    while (in_flight_ > 0) serve();
  }

  // Takes one message, a ping or a reply. Returns false if none is to come.
  bool serve() {
    MPI_Status status;
    int which = 0;
    check_mpi(MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &which, &status), "MPI_Waitany");
    if (which == MPI_UNDEFINED) return false;
    const auto at = static_cast<std::size_t>(which);
    if (at < slots_) {
      check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, status.MPI_SOURCE, pong_tag, team_->communicator), "MPI_Send");
      team_->probe.count_message();
      await_ping(at);
    } else {
      times_[at - slots_].push_back(machine::now() - begun_[at - slots_]);
      --in_flight_;
    }
    return true;
  }

  void await_ping(std::size_t slot) {
    if (awaited_ == owed_) return;
    ++awaited_;
    check_mpi(MPI_Irecv(nullptr, 0, MPI_CHAR, MPI_ANY_SOURCE, ping_tag, team_->communicator, &requests_[slot]),
              "MPI_Irecv");
  }

  void ping(std::size_t target) {
    check_mpi(
        MPI_Irecv(nullptr, 0, MPI_CHAR, targets_[target], pong_tag, team_->communicator, &requests_[slots_ + target]),
        "MPI_Irecv");
    ++in_flight_;
    begun_[target] = machine::now();
    check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, targets_[target], ping_tag, team_->communicator), "MPI_Send");
    team_->probe.count_message();
  }

  // The minimum of the times, since concurrent pings of several ranks queue at the landmark.
  Figures found() {
    Figures figures;
    const auto longest_queue = processing_ * static_cast<Picoseconds>(targets_.size());
    for (std::size_t target = 0; target < targets_.size(); ++target) {
      std::vector<Picoseconds>& times = times_[target];
      std::ranges::sort(times);
      Picoseconds error = (times[1] - times[0] + 1) / 2;
      // Landmarks ping each other in step where nothing disturbs them, so that what queues once queues each time.
      if (landmark() && machine::simulated()) error = std::max(error, std::min(times[0], longest_queue));
      figures.insert(figures.end(), {targets_[target], times[0], error});
    }
    return figures;
  }

  const Team* team_;
  std::vector<int> targets_;
  std::vector<Picoseconds> begun_;               // the last ping of each target
  std::vector<std::vector<Picoseconds>> times_;  // by target
  std::size_t slots_;
  std::vector<MPI_Request> requests_;  // pings to come in as many slots, then the reply of each target
  std::int64_t owed_;
  std::int64_t awaited_ = 0;
  int in_flight_ = 0;
  Picoseconds processing_;  // of a message at both ends
  Picoseconds far_;
  Picoseconds longest_delay_;
  std::mt19937_64 random_;
};

}  // namespace

namespace {

// Of the times of both: the second least of all is at most the larger of these.
Measured least_of_all(Measured a, Measured b) {
  const Measured& less = a.value < b.value ? a : b;
  return {.value = less.value, .error = std::min(less.error, std::abs(a.value - b.value))};
}

}  // namespace

void measure_landmark_latencies(Team& team, const AllOverheads& overheads, const std::vector<int>& landmarks,
                                Latencies& latencies) {
  std::vector<int> targets;
  std::int64_t owed = 0;
  const std::size_t count = landmarks.size();
  // Each rank begins with a different landmark.
  for (std::size_t i = 0; i < count; ++i) {
    const int landmark = landmarks[(i + static_cast<std::size_t>(team.rank)) % count];
    if (landmark == team.rank) owed = static_cast<std::int64_t>(pings_each) * (team.size - 1);
    if (landmark != team.rank) targets.push_back(landmark);
  }
  const Picoseconds longest_delay = 4 * overheads.longest * (team.size / static_cast<int>(count) + 1);
  Pinging pinging(team, std::move(targets), owed, overheads.longest, longest_delay);
  Latencies now(latencies.hosts());
  enter_latencies(team, overheads, pinging.run(), now);
  latencies.set_overhead(now.overhead());
  for (int a = 0; a < now.hosts(); ++a) {
    for (int b = a + 1; b < now.hosts(); ++b) {
      const auto found = now.between(a, b);
      const auto before = latencies.between(a, b);
      if (found) latencies.set(a, b, before ? least_of_all(*before, *found) : *found);
    }
  }
}

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
  // Collective.
  Lanes(Team& team, std::vector<HostPair> pairs, std::size_t lanes)
      : team_(&team), pairs_(std::move(pairs)), lanes_(lanes) {
    if (lanes_ < pairs_.size()) check_mpi(MPI_Comm_dup(team.communicator, &turns_), "MPI_Comm_dup");
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;
  ~Lanes() {
    if (turns_ != MPI_COMM_NULL) MPI_Comm_free(&turns_);
  }

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
  // Of its own, since an answering rank takes any message of its partner.
  MPI_Comm turns_ = MPI_COMM_NULL;
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
    // Pairs at once do not disturb each other in a simulation.
    figures.push_back(machine::simulated() ? std::ssize(pairs)
                                           : least_lanes(latencies, pairs, repetitions, meeting, left));
    for (const auto& [a, b] : pairs) figures.insert(figures.end(), {a, b});
    team.progress(fmt::format("{} pairs once more, {} at a time", pairs.size(), figures.front()));
  }
  return broadcast(team, std::move(figures));
}

}  // namespace

void refine_latencies(Team& team, const AllOverheads& overheads, Latencies& latencies, double bound) {
  const Picoseconds begin = machine::now();
  Latencies before(0);
  for (int pass = 0; pass < passes; ++pass) {
    const Picoseconds until = begin + (team.until - begin) / passes * (pass + 1);
    const Figures planned = plan(team, latencies, bound, until);
    if (planned.size() < 2) break;
    std::vector<HostPair> pairs;
    for (std::size_t at = 1; at + 1 < planned.size(); at += 2) {
      pairs.emplace_back(static_cast<int>(planned[at]), static_cast<int>(planned[at + 1]));
    }
    Lanes lanes(team, pairs, static_cast<std::size_t>(planned.front()));
    Latencies now(latencies.hosts());
    enter_latencies(team, overheads, lanes.run(until), now);
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
}

}  // namespace tombolo::discovery
