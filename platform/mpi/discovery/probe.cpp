#include <algorithm>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discovery/probe.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo::discovery {

namespace {

constexpr int message_tag = 0;
constexpr int end_tag = 1;
// Fewer real measurements may agree by luck; what is simulated is the same each time.
constexpr int fewest_to_be_precise = 8;

}  // namespace

Picoseconds Probe::round_trip(int partner, Bytes bytes) {
  const Picoseconds begin = machine::now();
  check_mpi(MPI_Send(buffer_.data(), static_cast<int>(bytes), MPI_CHAR, partner, message_tag, communicator_),
            "MPI_Send");
  check_mpi(MPI_Recv(nullptr, 0, MPI_CHAR, partner, message_tag, communicator_, MPI_STATUS_IGNORE), "MPI_Recv");
  ++messages_;
  return machine::now() - begin;
}

std::vector<Picoseconds> Probe::round_trips(int partner, Bytes bytes, const Repetition& repetition) {
  std::vector<Picoseconds> times;
  if (partner_ != partner) round_trip(partner, 0);
  partner_ = partner;
  const int enough = machine::simulated() ? repetition.least : std::max(repetition.least, fewest_to_be_precise);
  for (int i = 0; i < repetition.most; ++i) {
    times.push_back(round_trip(partner, bytes));
    if (i + 1 < repetition.least) continue;
    if (machine::now() > repetition.until) break;
    if (i + 1 >= enough && is_precise(median_of(times), repetition.precision)) break;
  }
  return times;
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
  // What arrives does not matter, so it may arrive where the other message comes from: but MPI wants two buffers.
  char* const half = buffer_.data() + buffer_.size() / 2;
  check_mpi(MPI_Sendrecv(buffer_.data(), count, MPI_CHAR, partner, 0, half, count, MPI_CHAR, partner, message_tag,
                         communicator_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  ++messages_;
  return machine::now() - begin;
}

}  // namespace tombolo::discovery
