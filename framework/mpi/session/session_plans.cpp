// What a session learns of its collectives, for later runs on the same hosts.
#include <cstdlib>
#include <optional>
#include <string>

#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

namespace tombolo {

namespace {

constexpr const char* off = "no";

// An exchange of experience takes about as many of the longest latencies: three round trips to compare clocks, two more
// to agree.
constexpr Picoseconds latencies_of_exchange = 10;
constexpr Picoseconds part_of_run = 100;  // at most a hundredth of the time of the run

}  // namespace

// A kernel's speeds say nothing of plans and are measured at any time. Platforms from files have files of their own.
void Session::State::recall_plans() {
  if (machine::simulated()) return;  // other simulated platforms may have the same host names
  keep_plans();                      // of another platform
  Platform known = *platform;
  known.sections.erase(kernels_section);
  plans = std::make_shared<KeptPlans>(known);
  std::string text;
  if (rank == 0) {
    const char* const learn = std::getenv("TOMBOLO_LEARN");
    plans_file = cache_file(cache_key(), platform_is_file ? plans->platform() + ".plans" : "plans");
    if (learn != nullptr && learn == std::string(off)) plans_file.reset();
    text = plans_file ? read_cached(*plans_file, KeptPlans::most_bytes * 2).value_or("") : off;
  }
  text = text_from(communicator, 0, std::move(text));
  if (text == off) {
    plans.reset();
    return;
  }
  plans->read(text);
  if (!call_times) call_times = std::make_shared<CallTimes>();
}

void Session::State::keep_plans() const {
  if (plans && plans_file && plans->changed()) write_cached(*plans_file, plans->to_json());
}

void Session::keep_experience() {
  const State& state = *state_;
  if (!state.plans || !state.call_times->has_enough()) return;
  const Request barrier = Request::barrier(ranks_);
  const Picoseconds latency = state.planner->model_for(barrier, *algorithms_for(barrier).front()).longest_latency();
  Picoseconds shortest = machine::now() - state.began;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shortest, 1, MPI_INT64_T, MPI_MIN, communicator_), "MPI_Allreduce");
  if (latency * latencies_of_exchange > shortest / part_of_run) return;
  for (const Experience& each : state.call_times->makespans(communicator_)) {
    std::optional<KeptPlan> kept = state.plans->find(each.plan.request());
    if (!kept) continue;
    kept->add(each.plan, each.makespans);
    state.plans->keep(*kept);
  }
}

}  // namespace tombolo
