#include <algorithm>
#include <array>
#include <cmath>

#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/broadcast_in_pieces.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/team.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr int message_tag = 0;
constexpr int end_tag = 1;
constexpr int figures_tag = 2;
// Part of the time left that a measurement may take without being costly: 1 / costly_part.
constexpr Picoseconds costly_part = 16;
// Part of the times of a large message that its connection may need to become steady: 1 / starting_part.
constexpr std::size_t starting_part = 4;

}  // namespace

bool Repetition::costly(Picoseconds time, Picoseconds now) const {
  return static_cast<Picoseconds>(std::min(few, most)) * time > (until - now) / costly_part;
}

void pause(std::mt19937_64& random, Picoseconds less_than) {
  machine::sleep(static_cast<Picoseconds>(random() % static_cast<std::uint64_t>(less_than)));
}

Probe::Probe(MPI_Comm communicator, std::span<char> buffer) : communicator_(communicator), buffer_(buffer) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  random_.seed(static_cast<unsigned>(rank));
}

Picoseconds Probe::round_trip(int partner, Bytes bytes) {
  const Picoseconds begin = machine::now();
  check_mpi(MPI_Send(buffer_.data(), static_cast<int>(bytes), MPI_CHAR, partner, message_tag, communicator_),
            "MPI_Send");
  check_mpi(MPI_Recv(nullptr, 0, MPI_CHAR, partner, message_tag, communicator_, MPI_STATUS_IGNORE), "MPI_Recv");
  ++messages_;
  return machine::now() - begin;
}

std::vector<Picoseconds> Probe::round_trips_at_once(std::span<const int> partners, std::span<const Bytes> bytes) {
  const std::size_t count = partners.size();
  std::vector<MPI_Request> replies(count, MPI_REQUEST_NULL);
  std::vector<MPI_Request> messages(count, MPI_REQUEST_NULL);
  std::vector<Picoseconds> times(count);
  const Picoseconds begin = machine::now();
  for (std::size_t i = 0; i < count; ++i) {
    check_mpi(MPI_Irecv(nullptr, 0, MPI_CHAR, partners[i], message_tag, communicator_, &replies[i]), "MPI_Irecv");
    check_mpi(MPI_Isend(buffer_.data(), static_cast<int>(bytes[i]), MPI_CHAR, partners[i], message_tag, communicator_,
                        &messages[i]),
              "MPI_Isend");
  }
  for (std::size_t done = 0; done < count; ++done) {
    int which = 0;
    check_mpi(MPI_Waitany(static_cast<int>(count), replies.data(), &which, MPI_STATUS_IGNORE), "MPI_Waitany");
    times[static_cast<std::size_t>(which)] = machine::now() - begin;
  }
  check_mpi(MPI_Waitall(static_cast<int>(count), messages.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  messages_ += static_cast<std::int64_t>(count);
  return times;
}

Measured Probe::round_trips(int partner, Bytes bytes, const Repetition& repetition) {
  if (partner_ != partner) round_trip(partner, 0);
  partner_ = partner;
  // Simulated times have no noise; a few real times may agree by chance.
  const std::size_t enough = machine::simulated() ? repetition.least : repetition.few;
  std::vector<Picoseconds> times;
  while (true) {
    if (repetition.pause > 0) pause(random_, repetition.pause);
    times.push_back(round_trip(partner, bytes));
    if (times.size() < repetition.least) continue;
    const Picoseconds now = machine::now();
    const bool late = now > repetition.until;
    const auto last = steady_median(times, repetition.steady, repetition.precision);
    if (last && repetition.costly(last->value, now)) return *last;
    if (times.size() < enough && !late) continue;
    const std::size_t starting = repetition.steady > 0 ? times.size() / starting_part : 0;
    Measured time = quantile_of(std::span(times).subspan(starting), repetition.quantile);
    if (!late && times.size() < repetition.most && !is_precise(time, repetition.precision)) continue;
    if (!repetition.only_delays) return time;
    const Picoseconds shortest = *std::min_element(times.begin(), times.end());
    time.error = std::max(time.value - shortest, median_of(times).value - time.value);
    return time;
  }
}

void Probe::end(int partner) {
  check_mpi(MPI_Send(buffer_.data(), 0, MPI_CHAR, partner, end_tag, communicator_), "MPI_Send");
  partner_ = -1;
  ++messages_;
}

void Probe::answer(int partner) {
  MPI_Request first = MPI_REQUEST_NULL;
  const int room = static_cast<int>(buffer_.size());
  check_mpi(MPI_Irecv(buffer_.data(), room, MPI_CHAR, partner, MPI_ANY_TAG, communicator_, &first), "MPI_Irecv");
  MPI_Status status = machine::wait_asleep(first);
  while (status.MPI_TAG != end_tag) {
    check_mpi(MPI_Send(nullptr, 0, MPI_CHAR, partner, message_tag, communicator_), "MPI_Send");
    ++messages_;
    check_mpi(MPI_Recv(buffer_.data(), room, MPI_CHAR, partner, MPI_ANY_TAG, communicator_, &status), "MPI_Recv");
  }
}

Picoseconds Probe::exchange(int partner, Bytes bytes) {
  const Picoseconds begin = machine::now();
  const int count = static_cast<int>(bytes);
  // The received contents are irrelevant, but MPI requires separate buffers.
  char* const half = buffer_.data() + buffer_.size() / 2;
  check_mpi(MPI_Sendrecv(buffer_.data(), count, MPI_CHAR, partner, 0, half, count, MPI_CHAR, partner, message_tag,
                         communicator_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  ++messages_;
  return machine::now() - begin;
}

std::int64_t Probe::lower_of_both(int partner, std::int64_t mine) {
  std::int64_t theirs = 0;
  check_mpi(MPI_Sendrecv(&mine, 1, MPI_INT64_T, partner, message_tag, &theirs, 1, MPI_INT64_T, partner, message_tag,
                         communicator_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  ++messages_;
  return std::min(mine, theirs);
}

// Straight to rank 0, which takes one of the longest latencies: the number of figures first, as rank 0 cannot know it.
std::vector<Figures> gather(const Team& team, const Figures& mine) {
  auto count = static_cast<std::int64_t>(mine.size());
  const auto send = [&](const std::int64_t* figures, std::int64_t number) {
    check_mpi(MPI_Send(figures, static_cast<int>(number), MPI_INT64_T, 0, figures_tag, team.communicator), "MPI_Send");
  };
  if (team.rank != 0) {
    send(&count, 1);
    if (count > 0) send(mine.data(), count);
    return {};
  }
  std::vector<std::int64_t> counts(static_cast<std::size_t>(team.size));
  std::vector<Figures> by_rank(counts.size());
  by_rank[0] = mine;
  std::vector<MPI_Request> requests(counts.size(), MPI_REQUEST_NULL);
  const auto receive = [&](std::size_t from, std::int64_t* figures, std::int64_t number) {
    check_mpi(MPI_Irecv(figures, static_cast<int>(number), MPI_INT64_T, static_cast<int>(from), figures_tag,
                        team.communicator, &requests[from]),
              "MPI_Irecv");
  };
  const auto wait = [&] { check_mpi(MPI_Waitall(team.size, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall"); };
  for (std::size_t r = 1; r < counts.size(); ++r) receive(r, &counts[r], 1);
  wait();
  for (std::size_t r = 1; r < counts.size(); ++r) {
    by_rank[r].resize(static_cast<std::size_t>(counts[r]));
    if (counts[r] > 0) receive(r, by_rank[r].data(), counts[r]);
  }
  wait();
  return by_rank;
}

Figures broadcast(const Team& team, Figures figures) {
  if (team.size == 1) return figures;
  auto count = static_cast<std::int64_t>(figures.size());
  check_mpi(MPI_Bcast(&count, 1, MPI_INT64_T, 0, team.communicator), "MPI_Bcast");
  figures.resize(static_cast<std::size_t>(count));
  constexpr Bytes each = sizeof(std::int64_t);
  broadcast_in_pieces(team.communicator, 0, figures.data(), each * count);
  return figures;
}

Figures everybodys(const Team& team, const Figures& mine) {
  Figures all;
  for (const Figures& figures : gather(team, mine)) all.insert(all.end(), figures.begin(), figures.end());
  return broadcast(team, all);
}

Measured known_to_all(const Team& team, Measured figure, int rank) {
  std::array<std::int64_t, 2> both = {figure.value, figure.error};
  check_mpi(MPI_Bcast(both.data(), 2, MPI_INT64_T, rank, team.communicator), "MPI_Bcast");
  return {.value = both[0], .error = both[1]};
}

bool in_time(const Team& team, bool over) {
  int late = over ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &late, 1, MPI_INT, MPI_MAX, team.communicator), "MPI_Allreduce");
  return late == 0;
}

void FairShares::next() {
  const Picoseconds now = machine::now();
  team_->until = now < end_ ? now + (end_ - now) / std::max<Picoseconds>(left_, 1) : end_;
  --left_;
}

bool FairShares::over() const {
  return machine::now() > end_;
}

namespace {

// Above the rendezvous threshold of MPI libraries, since a rendezvous changes the fixed time.
constexpr Bytes small = Bytes{128} * 1024;
constexpr Bytes growth = 4;
// A thin link shows its rate in this message already, and longer ones would take seconds there.
constexpr Bytes least_larger = 2 * small;
// The additional time of the larger message must exceed this part of the fixed time, and its noise must be below this
// part of the difference.
constexpr double stands_out = 0.05;
constexpr double noise_of_rate = 0.05;

}  // namespace

LargeMessage measure_large_message(Team& team, int partner) {
  const Repetition repetition = team.repetition();
  const auto time_of = [&](Bytes bytes) { return team.probe.round_trips(partner, bytes, repetition); };
  Measured less = time_of(small);
  // One time alone, which has no error, holds the slow start of a connection that was idle: a round trip that the
  // larger message would seem to save. Simulated connections have none.
  if (less.error == 0 && !machine::simulated()) less = time_of(small);
  LargeMessage found{.rate = {}, .fixed = 0, .bytes = small};
  bool clear = false;
  while (!clear && found.bytes < team.probe.largest()) {
    found.bytes = std::min(found.bytes < growth * small ? 2 * found.bytes : growth * found.bytes, team.probe.largest());
    const Measured more = time_of(found.bytes);
    if (more.value <= less.value) less = time_of(small);  // its connection was not steady yet
    const auto difference = static_cast<double>(more.value - less.value);
    const auto noise = static_cast<double>(more.error + less.error);
    // If the noise hides the transfer time, only an upper bound is known: the transfer ended before the reply came.
    const bool hidden = difference <= noise;
    const double time = hidden ? static_cast<double>(std::max<Picoseconds>(more.value, 1)) : difference;
    const double rate = static_cast<double>(hidden ? found.bytes : found.bytes - small) / time * picoseconds_per_second;
    found.rate = {.value = std::max<std::int64_t>(std::llround(rate), 1),
                  .error = std::llround(rate * (hidden ? 1 : noise / difference))};
    const bool enough = found.bytes > least_larger || repetition.costly(growth * more.value, machine::now());
    // The next size takes `growth` times as long, at least `least` times.
    const auto next_takes = static_cast<Picoseconds>(repetition.least) * growth * more.value;
    clear =
        (enough && difference > stands_out * static_cast<double>(less.value) && noise < noise_of_rate * difference) ||
        machine::now() + next_takes > team.until;
  }
  found.fixed = std::max<Picoseconds>(less.value - transfer_time(small, found.rate.value), 0);
  return found;
}

bool again_is_costly(const Team& team, const LargeMessage& message) {
  const Picoseconds time =
      message.fixed + transfer_time(message.bytes, std::max<BytesPerSecond>(message.rate.value, 1));
  return is_precise(message.rate, noise_of_rate) && team.repetition().costly(time, machine::now());
}

}  // namespace tombolo::discovery
