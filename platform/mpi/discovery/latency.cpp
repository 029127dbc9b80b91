#include <algorithm>
#include <numeric>
#include <random>

#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/measuring/shuffle_alike.hpp>
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

void enter_latencies(const Team& team, Overheads mine, const Figures& round_trips, Latencies& latencies) {
  // The maximum of both overheads, since the timed receive finds the message already there and misses the processor
  // time of its arrival.
  const std::vector<Figures> overheads = gather(team, {mine.send + mine.receive, std::max(mine.send, mine.receive)});
  Figures larger;
  for (const Figures& one : overheads) larger.push_back(one.back());
  latencies.set_overhead(median_of(larger).value);
  const std::vector<Figures> all = gather(team, round_trips);
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t i = 0; i + 2 < all[r].size(); i += 3) {
      const auto partner = static_cast<std::size_t>(all[r][i]);
      const Measured trip{.value = all[r][i + 1], .error = all[r][i + 2]};
      latencies.set(static_cast<int>(r), static_cast<int>(partner),
                    one_way(trip, overheads[r].front() + overheads[partner].front()));
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

Latencies measure_all_latencies(Team& team, Overheads mine) {
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
    // Each round gets an equal share of the time.
    Repetition repetition = team.latency_repetition();
    repetition.until =
        begin + (team.until - begin) / static_cast<Picoseconds>(partners.size()) * static_cast<Picoseconds>(round + 1);
    const Measured trip = team.probe.round_trips(partner, 0, repetition);
    team.probe.end(partner);
    found.insert(found.end(), {partner, trip.value, trip.error});
  }
  Latencies latencies(team.rank == 0 ? team.size : 0);
  enter_latencies(team, mine, found, latencies);
  return latencies;
}

namespace {

constexpr int ping_tag = 0;
constexpr int pong_tag = 1;
constexpr int pings_each = 3;
constexpr std::int64_t most_slots = 64;

// The pings from this rank to landmarks, and the replies that it owes if it is a landmark.
class Pinging {
 public:
  Pinging(const Team& team, std::vector<int> targets, std::int64_t owed, Picoseconds longest_delay)
      : team_(&team),
        targets_(std::move(targets)),
        owed_(owed),
        longest_delay_(longest_delay),
        random_(static_cast<unsigned>(team.rank)) {}

  Figures run() {
    // Receives for many pings are posted at once: some MPI libraries start a transfer when the receive is posted.
    const auto slots = static_cast<std::size_t>(std::min(owed_, most_slots));
    std::vector<MPI_Request> requests(slots + 1, MPI_REQUEST_NULL);
    std::int64_t awaited = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) await_ping(requests[slot], awaited);
    MPI_Request& reply = requests.back();
    Figures found;
    Figures times;
    std::size_t target = 0;
    if (!targets_.empty()) ping(targets_[target], reply);
    while (true) {
      MPI_Status status;
      int which = 0;
      check_mpi(MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &which, &status), "MPI_Waitany");
      if (which == MPI_UNDEFINED) return found;
      if (static_cast<std::size_t>(which) < slots) {
        check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, status.MPI_SOURCE, pong_tag, team_->communicator), "MPI_Send");
        team_->probe.count_message();
        await_ping(requests[static_cast<std::size_t>(which)], awaited);
        continue;
      }
      times.push_back(machine::now() - begin_);
      if (times.size() == pings_each) {
        // The minimum, since concurrent pings of several ranks queue at the landmark.
        std::sort(times.begin(), times.end());
        found.insert(found.end(), {targets_[target], times[0], (times[1] - times[0] + 1) / 2});
        times.clear();
        ++target;
      }
      if (target < targets_.size()) ping(targets_[target], reply);
    }
  }

 private:
  void await_ping(MPI_Request& request, std::int64_t& awaited) {
    if (awaited == owed_) return;
    ++awaited;
    check_mpi(MPI_Irecv(nullptr, 0, MPI_CHAR, MPI_ANY_SOURCE, ping_tag, team_->communicator, &request), "MPI_Irecv");
  }

  void ping(int target, MPI_Request& request) {
    // A landmark does not sleep, since it would keep others waiting; the other ranks wait at random to spread the
    // pings.
    if (owed_ == 0)
      machine::sleep(static_cast<Picoseconds>(random_() % static_cast<std::uint64_t>(longest_delay_ + 1)));
    check_mpi(MPI_Irecv(nullptr, 0, MPI_CHAR, target, pong_tag, team_->communicator, &request), "MPI_Irecv");
    begin_ = machine::now();
    check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, target, ping_tag, team_->communicator), "MPI_Send");
    team_->probe.count_message();
  }

  const Team* team_;
  std::vector<int> targets_;
  std::int64_t owed_;
  Picoseconds longest_delay_;
  std::mt19937_64 random_;
  Picoseconds begin_ = 0;
};

}  // namespace

void measure_landmark_latencies(Team& team, Overheads mine, const std::vector<int>& landmarks, Latencies& latencies) {
  std::vector<int> targets;
  std::int64_t owed = 0;
  const std::size_t count = landmarks.size();
  // Each rank begins with a different landmark.
  for (std::size_t i = 0; i < count; ++i) {
    const int landmark = landmarks[(i + static_cast<std::size_t>(team.rank)) % count];
    if (landmark == team.rank) owed = pings_each * std::int64_t{team.size - 1};
    if (landmark != team.rank) targets.push_back(landmark);
  }
  Picoseconds processing = mine.send + mine.receive;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &processing, 1, MPI_INT64_T, MPI_MAX, team.communicator), "MPI_Allreduce");
  const Picoseconds longest_delay = 4 * processing * (team.size / static_cast<int>(count) + 1);
  Pinging pinging(team, std::move(targets), owed, longest_delay);
  const Figures found = pinging.run();
  enter_latencies(team, mine, found, latencies);
}

}  // namespace tombolo::discovery
