#include "timing/buffers.hpp"

#include <algorithm>

#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::timing {

Buffers::Buffers(Session& session, std::span<const Request> requests, std::span<const Plan> plans) {
  Bytes input = 0;
  Bytes output = 0;
  Bytes scratch = 0;
  for (const Request& request : requests) {
    const Contract promised = contract(request, session.rank());
    input = std::max(input, promised.input_size * request.element_bytes);
    output = std::max(output, promised.output_size * request.element_bytes);
  }
  for (const Plan& plan : plans) {
    const Contract promised = contract(plan.request(), session.rank());
    scratch = std::max(scratch, promised.scratch_limit * plan.request().element_bytes);
  }
  // One over the other in a simulation, where nothing is in them.
  Bytes room = machine::simulated() ? std::max({input, output, scratch, Bytes{1}}) : input + output;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT64_T, MPI_MAX, session.communicator()), "MPI_Allreduce");
  buffer_ = std::make_unique<MessageBuffer>(session.communicator(), room);
  if (machine::simulated()) return;
  std::fill(buffer_->bytes().begin(), buffer_->bytes().end(), '\0');
  output_ = static_cast<std::size_t>(input);
}

std::span<std::byte> Buffers::phantom() const {
  return machine::simulated() ? std::as_writable_bytes(buffer_->bytes()) : std::span<std::byte>();
}

}  // namespace tombolo::timing
