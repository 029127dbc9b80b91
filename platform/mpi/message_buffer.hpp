#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <mpi.h>

#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

/// A buffer for messages with irrelevant contents. In a simulation, address space without memory, the same for all
/// ranks; on a real machine, memory allocated page by page as messages touch it.
class MessageBuffer {
 public:
  /// Collective. Throws Error if a simulation cannot get the address space.
  MessageBuffer(MPI_Comm communicator, Bytes bytes) {
    if (machine::simulated()) {
      int rank = 0;
      check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
      void* place = rank == 0 ? machine::phantom(bytes) : nullptr;
      check_mpi(MPI_Bcast(&place, sizeof place, MPI_BYTE, 0, communicator), "MPI_Bcast");
      bytes_ = {static_cast<char*>(place), static_cast<std::size_t>(bytes)};
    } else {
      own_ = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(bytes));
      bytes_ = {own_.get(), static_cast<std::size_t>(bytes)};
    }
  }
  std::span<char> bytes() const { return bytes_; }

 private:
  std::unique_ptr<char[]> own_;
  std::span<char> bytes_;
};

}  // namespace tombolo
