#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

class Execution;

/// The pending messages on one communicator, of all pending calls.
class Messages {
 public:
  /// The call and step of a message.
  struct Origin {
    Execution* execution = nullptr;
    StepId step = no_step;
  };

  /// Returns a request for a new message, to be filled at once.
  MPI_Request& add(const Origin& origin) {
    origins_.push_back(origin);
    return requests_.emplace_back(MPI_REQUEST_NULL);
  }
  bool empty() const { return requests_.empty(); }

  /// Waits for at least one message. Returns and removes the completed ones; the reference is valid until the next
  /// call.
  const std::vector<Origin>& wait_some();
  /// wait_some() without waiting.
  const std::vector<Origin>& test_some();
  /// Waits for all messages and removes them.
  void wait_all();

 private:
  void take_finished();

  std::vector<MPI_Request> requests_;
  std::vector<Origin> origins_;
  std::vector<int> indices_;
  std::vector<Origin> finished_;
};

}  // namespace tombolo
