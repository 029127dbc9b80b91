#include <algorithm>

#include <tombolo/collectives/mpi/timing/call_times.hpp>
#include <tombolo/collectives/mpi/timing/common_start.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

constexpr Picoseconds apart = 10;  // a tenth of the makespan

}  // namespace

void CallTimes::add(const PreparedPlan& plan, Picoseconds entered, Picoseconds left) {
  const Request& request = plan.plan.request();
  if (request.knowledge != Knowledge::everywhere) return;
  auto at = place_.find(request);
  if (at == place_.end()) {
    if (calls_.size() == most_requests) return;
    at = place_.emplace(request, calls_.size()).first;
    calls_.push_back({.plan = plan.plan});
  }
  Calls& calls = calls_[at->second];
  calls.last[calls.number % most_calls] = {entered, left};
  ++calls.number;
}

bool CallTimes::has_enough() const {
  return std::ranges::any_of(calls_, [](const Calls& each) { return each.number >= KeptPlan::fewest_makespans; });
}

std::vector<Experience> CallTimes::makespans(MPI_Comm communicator) const {
  const Picoseconds ahead = compare_clocks(communicator).ahead;
  // By rank 0's clock.
  std::vector<Picoseconds> times;
  for (const Calls& calls : calls_) {
    for (const Call& call : calls.last) {
      times.push_back(call.entered - ahead);
      times.push_back(call.left - ahead);
    }
  }
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  // Not MPI_Reduce, which loses ranks in MPICH before 4.1.3 (native.cpp).
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_INT64_T, MPI_MAX, communicator),
      "MPI_Allreduce");
  std::vector<Experience> all;
  if (rank != 0) return all;
  const Picoseconds now = machine::now();
  auto next = times.begin();
  for (const Calls& calls : calls_) {
    all.push_back({.plan = calls.plan, .makespans = {}});
    for (std::size_t call = 0; call < most_calls; ++call, next += 2) {
      const Picoseconds makespan = next[1] - next[0];
      const Picoseconds drifted = (now - next[1]) / picoseconds_per_second * clock_drift;
      if (call < calls.number && makespan > 0 && drifted <= makespan / apart) all.back().makespans.push_back(makespan);
    }
  }
  std::erase_if(all, [](const Experience& each) { return each.makespans.empty(); });
  return all;
}

}  // namespace tombolo
