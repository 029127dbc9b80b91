// PlannedCollectives::settle, the race between a plan and MPI's own collective.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include <tombolo/collectives/contract.hpp>
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

Picoseconds median(std::vector<Picoseconds>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

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
  const auto by = [&](Carrier carrier) {
    Memory where = memory(from, into, type, op);
    machine::start_together(communicator());
    const Picoseconds start = machine::now();
    if (carrier == Carrier::native) {
      call(native_, request, from, into, type, op);
    } else {
      executor_->run(*planned, where);
    }
    Picoseconds time = machine::now() - start;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_INT64_T, MPI_MAX, communicator()), "MPI_Allreduce");
    return time;
  };
  // On a real machine the first time does not count; whoever begins has it harder, so they take turns.
  constexpr std::array<Carrier, 2> both = {Carrier::plan, Carrier::native};
  std::array<std::vector<Picoseconds>, 2> times;
  const int rounds = machine::simulated() ? 1 : std::max(repetitions, 1) + 1;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < both.size(); ++turn) {
      const std::size_t now = (turn + static_cast<std::size_t>(round)) % both.size();
      const Picoseconds time = by(both[now]);
      if (round > 0 || rounds == 1) times[now].push_back(time);
    }
  }
  const Carrier better = median(times[0]) <= median(times[1]) ? Carrier::plan : Carrier::native;
  decide(request, better);
  return better;
}

}  // namespace tombolo
