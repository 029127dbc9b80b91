#include <algorithm>

#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/probe.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr int message_tag = 0;
constexpr int end_tag = 1;

}  // namespace

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
    times.push_back(round_trip(partner, bytes));
    if (times.size() < repetition.least) continue;
    const bool late = machine::now() > repetition.until;
    if (times.size() < enough && !late) continue;
    Measured time = quantile_of(times, repetition.quantile);
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

bool Probe::agree_with(int partner, bool willing) {
  const char mine = willing ? 1 : 0;
  char theirs = 0;
  check_mpi(MPI_Sendrecv(&mine, 1, MPI_CHAR, partner, message_tag, &theirs, 1, MPI_CHAR, partner, message_tag,
                         communicator_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  ++messages_;
  return willing && theirs != 0;
}

}  // namespace tombolo::discovery
