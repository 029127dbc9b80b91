#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

class Execution;

/// The messages under way on one communicator, of all the calls under way there.
class Messages {
 public:
  /// Whose message it is, and of which step.
  struct Origin {
    Execution* execution = nullptr;
    StepId step = no_step;
  };

  /// A request for one more message, to be filled at once.
  MPI_Request& add(const Origin& origin) {
    origins_.push_back(origin);
    return requests_.emplace_back(MPI_REQUEST_NULL);
  }
  bool empty() const { return requests_.empty(); }

  /// Waits for one at least. Returns those that are complete and forgets them; good until the next call.
  const std::vector<Origin>& wait_some();
  /// The same without waiting.
  const std::vector<Origin>& test_some();
  /// Waits for all and forgets them.
  void wait_all();

 private:
  void take_finished();

  std::vector<MPI_Request> requests_;
  std::vector<Origin> origins_;
  std::vector<int> indices_;
  std::vector<Origin> finished_;
};

}  // namespace tombolo
