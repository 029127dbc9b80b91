#include <stdexcept>

#include <tombolo/collectives/mpi/messages.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

const std::vector<Messages::Origin>& Messages::wait_some() {
  if (requests_.empty()) throw std::logic_error("a schedule that never ends: prove it first");
  machine::wait_some(requests_, indices_);
  take_finished();
  return finished_;
}

const std::vector<Messages::Origin>& Messages::test_some() {
  finished_.clear();
  if (requests_.empty()) return finished_;
  indices_.resize(requests_.size());
  int count = 0;
  check_mpi(
      MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, indices_.data(), MPI_STATUSES_IGNORE),
      "MPI_Testsome");
  indices_.resize(static_cast<std::size_t>(count));
  if (count > 0) take_finished();
  return finished_;
}

void Messages::wait_all() {
  // MPI_Wait is faster for one message, the usual number in small calls.
  if (requests_.size() == 1) {
    check_mpi(MPI_Wait(requests_.data(), MPI_STATUS_IGNORE), "MPI_Wait");
  } else {
    check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
  requests_.clear();
  origins_.clear();
}

// Pending messages stay contiguous and in order.
void Messages::take_finished() {
  finished_.clear();
  for (const int index : indices_) finished_.push_back(origins_[static_cast<std::size_t>(index)]);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[i];
    origins_[kept++] = origins_[i];
  }
  requests_.resize(kept);
  origins_.resize(kept);
}

}  // namespace tombolo
