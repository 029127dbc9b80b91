#include <vector>

#include <tombolo/models/mpi/messenger.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

void Messenger::send(Rank to, Tag tag, Bytes bytes) {
  ++sent_;
  check_mpi(MPI_Send(half(0), static_cast<int>(bytes), MPI_CHAR, to, static_cast<int>(tag), communicator_), "MPI_Send");
}

void Messenger::receive(Rank from, Tag tag, Bytes bytes) {
  check_mpi(MPI_Recv(half(0), static_cast<int>(bytes), MPI_CHAR, from, static_cast<int>(tag), communicator_,
                     MPI_STATUS_IGNORE),
            "MPI_Recv");
}

MPI_Request Messenger::post(Rank from, Bytes bytes, int half_number) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(half(half_number), static_cast<int>(bytes), MPI_CHAR, from, MPI_ANY_TAG, communicator_, &request),
            "MPI_Irecv");
  return request;
}

void Messenger::receive_all(Rank from, Tag tag, Bytes bytes, int count) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(count), MPI_REQUEST_NULL);
  for (int i = 0; i < count; ++i) {
    check_mpi(MPI_Irecv(half(0) + i * bytes, static_cast<int>(bytes), MPI_CHAR, from, static_cast<int>(tag),
                        communicator_, &requests[static_cast<std::size_t>(i)]),
              "MPI_Irecv");
  }
  check_mpi(MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

MPI_Request Messenger::post_empty(Rank from, Tag tag) const {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(nullptr, 0, MPI_CHAR, from, static_cast<int>(tag), communicator_, &request), "MPI_Irecv");
  return request;
}

Tag Messenger::wait(MPI_Request& request) {
  MPI_Status status;
  check_mpi(MPI_Wait(&request, &status), "MPI_Wait");
  return static_cast<Tag>(status.MPI_TAG);
}

Tag Messenger::wait_asleep(MPI_Request& request) {
  return static_cast<Tag>(machine::wait_asleep(request).MPI_TAG);
}

void Messenger::exchange(Rank with, Bytes bytes) {
  ++sent_;
  constexpr int tag = static_cast<int>(Tag::message);
  const int count = static_cast<int>(bytes);
  check_mpi(MPI_Sendrecv(half(0), count, MPI_CHAR, with, tag, half(1), count, MPI_CHAR, with, tag, communicator_,
                         MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
}

}  // namespace tombolo
