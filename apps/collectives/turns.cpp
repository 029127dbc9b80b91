#include "collectives/turns.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/message_buffer.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/session.hpp>

namespace tombolo::timing {

namespace {

// Buffers of calls whose data does not matter, the same for native and planned ones: zeros; in a simulation phantoms.
class Buffers {
 public:
  // Large enough for this rank's part in any of the requests and, in a simulation, the scratch of these plans.
  // Collective.
  Buffers(Session& session, std::span<const Request> requests, std::span<const Plan> plans) {
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
    // Simulated buffers lie one over the other, as they have no contents.
    Bytes room = machine::simulated() ? std::max({input, output, scratch, Bytes{1}}) : input + output;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT64_T, MPI_MAX, session.communicator()), "MPI_Allreduce");
    buffer_ = std::make_unique<MessageBuffer>(session.communicator(), room);
    if (machine::simulated()) return;
    std::fill(buffer_->bytes().begin(), buffer_->bytes().end(), '\0');
    output_ = static_cast<std::size_t>(input);
  }

  const void* input() const { return buffer_->bytes().data(); }
  void* output() const { return buffer_->bytes().data() + output_; }
  // Memory for the scratch of plans in a simulation; else empty.
  std::span<std::byte> phantom() const {
    return machine::simulated() ? std::as_writable_bytes(buffer_->bytes()) : std::span<std::byte>();
  }

 private:
  std::unique_ptr<MessageBuffer> buffer_;
  std::size_t output_ = 0;
};

constexpr int tag = 0;

void exchange_empty(int other, bool sends, MPI_Comm communicator, MPI_Request& request) {
  if (sends) {
    check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, other, tag, communicator, &request), "MPI_Isend");
  } else {
    check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, other, tag, communicator, &request), "MPI_Irecv");
  }
}

// A barrier in which everybody tells rank 0, which then tells one after the other: what Karonis et al. (2000, figure
// 7) put between broadcasts, so that none overlaps the one before. Collective.
void acknowledge(MPI_Comm communicator) {
  int rank = 0;
  int ranks = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  // All at a time: simulated messages, even empty ones, only leave once their receive has been posted.
  for (const bool sends : {rank != 0, rank == 0}) {
    std::vector<MPI_Request> requests(static_cast<std::size_t>(rank == 0 ? ranks - 1 : 1), MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      exchange_empty(rank == 0 ? static_cast<int>(i) + 1 : 0, sends, communicator, requests[i]);
    }
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
}

}  // namespace

std::vector<Request> in_turn(const Request& request, Contest::Roots roots) {
  const bool rotates = roots != Contest::Roots::one && is_rooted(request.operation);
  std::vector<Request> turns(rotates ? static_cast<std::size_t>(request.ranks) : 1, request);
  for (std::size_t turn = 0; rotates && turn < turns.size(); ++turn) turns[turn].root = static_cast<Rank>(turn);
  return turns;
}

std::vector<Timing> time_in_turns(Session& session, const Request& request, const Contest& contest,
                                  const Repeat& repeat) {
  const std::vector<Request> turns = in_turn(request, contest.roots);
  std::vector<Plan> plans;  // of each candidate, one a turn
  for (const Candidate& candidate : contest.plans) {
    for (const Request& turn : turns) {
      plans.push_back(contest.with_root_of ? contest.with_root_of(turn, candidate.plan)
                                           : Plan(turn, candidate.plan.algorithm(), candidate.plan.parameters()));
    }
  }
  const Buffers buffers(session, turns, plans);
  const bool adds = combines(request.operation);
  const MPI_Datatype type = adds ? MPI_DOUBLE : MPI_BYTE;
  const MPI_Op op = adds ? MPI_SUM : MPI_OP_NULL;
  const auto native = session.make_collectives(Session::Kind::native);
  // Plans are given: no planner is asked.
  const auto planner = std::make_shared<Planner>(Hockney({.latency = 1, .rate = 1}));
  PlannedCollectives planned(session.communicator(), planner, buffers.phantom());
  std::vector<Persistent> prepared;
  for (const Plan& plan : plans) {
    prepared.push_back(planned.persistent(plan, buffers.input(), buffers.output(), type, op));
  }

  std::vector<std::function<void()>> calls;
  const bool all_at_once = contest.roots == Contest::Roots::turns && is_rooted(request.operation);
  const auto add = [&](const std::function<void(std::size_t)>& call_in_turn) {
    calls.emplace_back([&, call_in_turn, turn = std::size_t{0}]() mutable {
      if (!all_at_once) return call_in_turn(turn++ % turns.size());
      for (std::size_t each = 0; each < turns.size(); ++each) {
        call_in_turn(each);
        acknowledge(session.communicator());
      }
    });
  };
  if (contest.native) {
    add([&](std::size_t turn) { native->run(turns[turn], buffers.input(), buffers.output(), type, op); });
  }
  for (std::size_t first = 0; first < prepared.size(); first += turns.size()) {
    add([&, first](std::size_t turn) {
      prepared[first + turn].start();
      prepared[first + turn].wait();
    });
  }
  return alternate(session.communicator(), calls, repeat);
}

std::vector<Candidate> chosen_at_rank_0(Session& session, const Request& request,
                                        const std::function<std::vector<Candidate>()>& choose) {
  std::string text;
  std::vector<Picoseconds> predicted;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    std::vector<Plan> plans;
    for (Candidate& c : choose()) {
      plans.push_back(std::move(c.plan));
      predicted.push_back(c.predicted);
    }
    text = to_json(plans);
  });
  text = text_from(session.communicator(), 0, std::move(text));
  std::vector<Candidate> all;
  for (Plan& plan : plans_from_json(request, text, "the plans of rank 0")) all.push_back({std::move(plan), 0});
  predicted.resize(all.size());
  check_mpi(MPI_Bcast(predicted.data(), static_cast<int>(predicted.size()), MPI_INT64_T, 0, session.communicator()),
            "MPI_Bcast");
  for (std::size_t i = 0; i < all.size(); ++i) all[i].predicted = predicted[i];
  return all;
}

}  // namespace tombolo::timing
