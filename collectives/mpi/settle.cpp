// PlannedCollectives::settle, the race between a plan and MPI's own collective.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <tombolo/collectives/contract.hpp>
#include <tombolo/collectives/mpi/alternation.hpp>
#include <tombolo/collectives/mpi/call.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>

namespace tombolo {

namespace {

// Room for elements and where the first of them begins in it.
struct Room {
  Room(std::int64_t elements, const TypeLayout& type) {
    if (elements == 0) return;
    const MPI_Aint steps = (elements - 1) * type.extent;
    bytes = std::abs(steps) + type.true_extent;
    first = -std::min<MPI_Aint>(0, steps) - type.true_lower;
  }
  Bytes bytes = 0;
  MPI_Aint first = 0;
};

}  // namespace

Carrier PlannedCollectives::settle(const Request& request, MPI_Datatype type, MPI_Op op, int repetitions) {
  if (request.knowledge == Knowledge::as_in_mpi) {
    throw Error("a race for a request whose counts not all ranks know", "let all ranks know them, or decide");
  }
  const TypeLayout element = types_.of(type);
  const Contract promised = contract(request, rank());
  const Room input(promised.input_size, element);
  const Room output(promised.output_size, element);
  // In a simulation nothing is there, and all ranks are given the same address.
  Bytes most = std::max<Bytes>(input.bytes + output.bytes, 1);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MAX, communicator()), "MPI_Allreduce");
  const MessageBuffer buffer(communicator(), most);
  char* const begin = buffer.bytes().data();
  if (!machine::simulated()) std::fill(buffer.bytes().begin(), buffer.bytes().end(), '\0');
  const void* const from = begin + input.first;
  void* const into = begin + input.bytes + output.first;

  const std::shared_ptr<const PreparedPlan> planned = plan(request);
  Memory where = memory(from, into, type, op);
  const int times = machine::simulated() ? 1 : std::max(repetitions, 1);
  const std::vector<Timing> timings = alternate(
      communicator(), {[&] { executor_->run(*planned, where); }, [&] { call(native_, request, from, into, type, op); }},
      {.least = times, .most = times});
  const Carrier better = timings[0].median <= timings[1].median ? Carrier::plan : Carrier::native;
  decide(request, better);
  return better;
}

}  // namespace tombolo
