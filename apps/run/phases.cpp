#include "run/phases.hpp"

#include <algorithm>
#include <utility>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

PhaseForecast forecast_collective(Collectives& collectives, const Planner& planner, const Request& request,
                                  const Algorithm& assumed) {
  auto* const planned = dynamic_cast<PlannedCollectives*>(&collectives);
  // The plan is kept under the very request that this rank will make.
  const Plan mine =
      planned != nullptr ? planned->plan_for(request.seen_by(collectives.rank())) : Plan(request, assumed);
  if (collectives.rank() != 0) return {};
  const Plan plan(request, mine.algorithm(), mine.parameters());
  const bool native = planned == nullptr || planned->planner()->backend(request) == Backend::native;
  return {.how = native ? "native, taken as " + plan.how() : planned->planner()->describe_plan(request),
          .predicted_s = seconds(pipeline_time(plan, planner.model_for(request, plan.algorithm()))),
          .bound_s = seconds(planner.bound(request))};
}

PhaseForecast forecast_work(std::string how, std::span<const double> work, std::span<const std::int64_t> speeds) {
  PhaseForecast forecast{.how = std::move(how)};
  double all_work = 0;
  double all_speeds = 0;
  for (std::size_t r = 0; r < work.size(); ++r) {
    const auto speed = static_cast<double>(speeds[r]);
    forecast.predicted_s = std::max(forecast.predicted_s, work[r] / speed);
    all_work += work[r];
    all_speeds += speed;
  }
  forecast.bound_s = all_work / all_speeds;
  return forecast;
}

RunReport run_report_of(const Session& session, const std::vector<Phase>& phases, const PhaseEnds& mine) {
  const std::size_t count = mine.size();
  std::vector<double> ends(count * static_cast<std::size_t>(session.ranks()));  // by rank and phase
  const int values = static_cast<int>(count);
  check_mpi(MPI_Allgather(mine.data(), values, MPI_DOUBLE, ends.data(), values, MPI_DOUBLE, session.communicator()),
            "MPI_Allgather");
  RunReport run;
  run.ranks = session.ranks();
  for (Rank rank = 0; rank < run.ranks; ++rank) run.members.emplace_back().rank = rank;
  double before = 0;
  for (std::size_t phase = 0; phase < count; ++phase) {
    double latest = 0;
    for (MemberReport& member : run.members) {
      const std::size_t at = static_cast<std::size_t>(member.rank) * count + phase;
      member.seconds.push_back(phase == 0 ? ends[at] : ends[at] - ends[at - 1]);
      latest = std::max(latest, ends[at]);
    }
    const auto& [name, forecast] = phases[phase];
    TaskReport& task = run.tasks.emplace_back();
    task.name = name;
    task.how = forecast.how;
    task.predicted_s = forecast.predicted_s;
    task.bound_s = forecast.bound_s;
    task.seconds = latest - before;
    before = latest;
  }
  return run;
}

}  // namespace tombolo
