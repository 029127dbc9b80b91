#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include <mpi.h>

namespace tombolo {

/// A failure that all ranks know of: thrown on every rank with the same words.
class AgreedError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Does something that may fail on some ranks only (reading a file, taking memory) and then tells all: returns on all
/// ranks, or throws AgreedError on all, with the words of the lowest rank that failed. So no rank is left waiting in a
/// collective for one that has gone. `work` must not communicate. Collective.
void agree(MPI_Comm communicator, const std::function<void()>& work);

}  // namespace tombolo
