#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/on_some_ranks.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

Picoseconds makespan_of(MPI_Comm communicator, CommonStart& start, const std::function<void()>& call) {
  while (true) {
    const Picoseconds begin = start.next();
    call();
    std::array<std::int64_t, 2> latest{machine::now() - begin, start.late() ? 1 : 0};
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, latest.data(), 2, MPI_INT64_T, MPI_MAX, communicator), "MPI_Allreduce");
    if (latest[1] == 0 || !start.give_more_notice()) return latest[0];
  }
}

std::vector<Timing> alternate(MPI_Comm communicator, const std::vector<std::function<void()>>& calls,
                              const Repeat& repeat) {
  CommonStart start(communicator);
  const bool noisy = !machine::simulated();
  std::vector<Series> series(calls.size(), Series(repeat, noisy, noisy ? 1 : 0));
  bool more = !calls.empty();
  for (bool forwards = true; more; forwards = !forwards) {
    more = false;
    for (std::size_t turn = 0; turn < calls.size(); ++turn) {
      const std::size_t which = forwards ? turn : calls.size() - 1 - turn;
      if (series[which].enough()) continue;
      series[which].add(makespan_of(communicator, start, calls[which]));
      more = true;
    }
  }
  std::vector<Timing> timings;
  for (const Series& each : series) {
    const Measured median = each.result();
    timings.push_back({.median = median.value,
                       .low = std::max<Picoseconds>(median.value - median.error, 0),
                       .high = median.value + median.error,
                       .times = each.times()});
  }
  return timings;
}

namespace {

// Returns a number type of that size for reductions; MPI_DATATYPE_NULL if there is none.
MPI_Datatype numbers(Bytes bytes) {
  if (bytes == 1) return MPI_INT8_T;
  if (bytes == 2) return MPI_INT16_T;
  if (bytes == 4) return MPI_FLOAT;
  return bytes == 8 ? MPI_DOUBLE : MPI_DATATYPE_NULL;
}

void check_plan(const Plan& plan, int ranks) {
  const Request& request = plan.request();
  if (request.ranks != ranks) {
    throw Error(fmt::format("a plan for {} ranks on {}", request.ranks, ranks), "make one for these ranks");
  }
  if (plan.learns()) throw Error("a plan that has to learn counts", "let all ranks know them");
  if (combines(request.operation) && numbers(request.element_bytes) == MPI_DATATYPE_NULL) {
    throw Error(fmt::format("a reduction of elements of {} bytes", request.element_bytes), "take 1, 2, 4 or 8");
  }
}

}  // namespace

PlanTimer::PlanTimer(MPI_Comm communicator) : given_(communicator), start_(communicator) {
  check_mpi(MPI_Comm_dup(communicator, &own_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(own_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(own_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(own_, &ranks_), "MPI_Comm_size");
}

PlanTimer::~PlanTimer() {
  MPI_Comm_free(&own_);
}

Measured PlanTimer::makespan(const Plan& plan, const Repeat& repeat, Picoseconds longest) {
  Series series(repeat, !machine::simulated(), machine::simulated() ? 0 : 1);
  Picoseconds spent = 0;
  time(plan, [&](Picoseconds time) {
    series.add(time);
    spent = plus(spent, time);
    if (spent >= longest) series.hurry();
    return !series.enough();
  });
  return series.result();
}

std::vector<Picoseconds> PlanTimer::makespans(const Plan& plan, int most, Picoseconds budget) {
  std::vector<Picoseconds> times;
  Picoseconds spent = 0;
  bool counts = machine::simulated();
  time(plan, [&](Picoseconds time) {
    if (std::exchange(counts, true)) times.push_back(time);
    spent = plus(spent, time);
    return times.empty() || (static_cast<int>(times.size()) < most && spent < budget);
  });
  return times;
}

void PlanTimer::time(const Plan& plan, const std::function<bool(Picoseconds)>& more) {
  check_plan(plan, ranks_);
  const Request& request = plan.request();
  const bool reduces = combines(request.operation);
  const Datatype element = Datatype::contiguous(request.element_bytes, MPI_BYTE);
  const MPI_Datatype type = reduces ? numbers(request.element_bytes) : MPI_Datatype(element);
  const PreparedPlan prepared(plan, rank_);

  const Contract promised = contract(request, rank_);
  const Bytes input = promised.input_size * request.element_bytes;
  const Bytes output = promised.output_size * request.element_bytes;
  const Bytes scratch = prepared.first.schedule().scratch() * request.element_bytes;
  Bytes room = machine::simulated() ? std::max({input, output, scratch, Bytes{1}}) : input + output;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &room, 1, MPI_INT64_T, MPI_MAX, given_), "MPI_Allreduce");
  if (!buffer_ || static_cast<Bytes>(buffer_->bytes().size()) < room) {
    buffer_.reset();  // frees the old buffer before the allocation of the new
    buffer_ = std::make_unique<MessageBuffer>(given_, room);
    // Touches the pages, and gives valid numbers to add.
    if (!machine::simulated()) std::ranges::fill(buffer_->bytes(), '\0');
    const auto phantom = machine::simulated() ? std::as_writable_bytes(buffer_->bytes()) : std::span<std::byte>();
    executor_ = std::make_unique<Executor>(own_, phantom);
  }
  char* const first = buffer_->bytes().data();
  Memory memory(first, machine::simulated() ? first : first + input, type_layout(type),
                reduces ? MPI_SUM : MPI_OP_NULL);

  while (more(makespan_of(given_, start_, [&] { executor_->run(prepared, memory); }))) {
  }
}

ExperimentCost time_trials(MPI_Comm all, std::span<Trial> trials, const Repeat& repeat, double time_given,
                           const std::function<void(const Trial&)>& progress) {
  if (trials.empty()) return {};
  int rank = 0;
  check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  const std::vector<Rank>& ranks = trials.front().ranks;
  const Picoseconds begin = machine::now();
  std::vector<Picoseconds> measured(trials.size(), not_timed);
  const bool limited = time_given < seconds(never);
  // In a random order, what is timed in time is a fair sample.
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(static_cast<unsigned>(trials.size()));
  if (limited) shuffle_alike(order, random);
  // None takes more than some average ones.
  constexpr double most_of_average = 4;
  const Picoseconds longest = limited ? std::llround(most_of_average * std::max(time_given, 0.0) /
                                                     static_cast<double>(trials.size()) * picoseconds_per_second)
                                      : never;
  on_some_ranks(all, ranks, [&](MPI_Comm some) {
    PlanTimer timer(some);
    for (const std::size_t t : order) {
      int late = seconds(machine::now() - begin) > time_given ? 1 : 0;
      if (limited) check_mpi(MPI_Bcast(&late, 1, MPI_INT, 0, some), "MPI_Bcast");
      if (late != 0) break;
      if (rank == ranks.front() && progress) progress(trials[t]);
      measured[t] = timer.makespan(trials[t].plan, repeat, longest).value;
    }
  });
  check_mpi(MPI_Bcast(measured.data(), static_cast<int>(measured.size()), MPI_INT64_T, ranks.front(), all),
            "MPI_Bcast");
  for (std::size_t t = 0; t < trials.size(); ++t) trials[t].sample.measured = measured[t];
  double spent = seconds(machine::now() - begin);
  check_mpi(MPI_Bcast(&spent, 1, MPI_DOUBLE, 0, all), "MPI_Bcast");
  return {.measurements = std::ssize(measured) - std::ranges::count(measured, not_timed), .seconds = spent};
}

}  // namespace tombolo
