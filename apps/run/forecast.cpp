#include "run/forecast.hpp"

#include <algorithm>
#include <utility>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>

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
  return {.how = (native ? "native, taken as " : "") + plan.how(),
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

}  // namespace tombolo
