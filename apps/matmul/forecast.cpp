#include "matmul/forecast.hpp"

#include <algorithm>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/predict.hpp>

namespace tombolo::matmul {

namespace {

// Asks for the plan by the very request that this rank will make, so that planning is over before the clock starts.
PhaseForecast of_collective(PlannedCollectives* planned, const Hockney& model, const Request& request, Rank rank,
                            const Algorithm& native) {
  const Plan mine = planned != nullptr ? planned->plan_for(request.seen_by(rank)) : Plan(request, native);
  const Plan plan(request, mine.algorithm(), mine.parameters());
  PhaseForecast forecast{.how = plan.how()};
  if (planned == nullptr) forecast.how = "native, taken as " + forecast.how;
  forecast.predicted_s = seconds(predict(plan, model).makespan);
  forecast.bound_s = seconds(lower_bound(request, model));
  return forecast;
}

PhaseForecast of_compute(GemmShape shape, const Blocks& rows, const std::vector<FlopsPerSecond>& speeds) {
  PhaseForecast forecast{.how = "gemm of OpenBLAS"};
  double together = 0;
  for (int r = 0; r < rows.size(); ++r) {
    const auto speed = static_cast<double>(speeds[static_cast<std::size_t>(r)]);
    const GemmShape slice{.m = rows.count(r), .n = shape.n, .k = shape.k};
    forecast.predicted_s = std::max(forecast.predicted_s, flops(slice) / speed);
    together += speed;
  }
  forecast.bound_s = flops(shape) / together;
  return forecast;
}

}  // namespace

std::array<PhaseForecast, phases> forecast(Session& session, Collectives& collectives, const Problem& problem,
                                           const Blocks& rows, Rank root, const std::vector<FlopsPerSecond>& speeds) {
  auto* const planned = dynamic_cast<PlannedCollectives*>(&collectives);
  const Hockney& model = session.model();
  const GemmShape& s = problem.shape;
  const Bytes element = element_info(problem.type).bytes;
  const Slices a(rows, s.k, session.phantom());
  const Slices c(rows, s.n, session.phantom());
  // The root's own slice stays where it is, in the whole matrix.
  const Request scatter_a = Request::scatterv(root, a.blocks, a.elements * element).with_in_place(true);
  const Request bcast_b = Request::bcast(session.ranks(), root, s.k * s.n, element);
  const Request gather_c = Request::gatherv(root, c.blocks, c.elements * element).with_in_place(true);
  return {of_collective(planned, model, scatter_a, session.rank(), scatterv_flat),
          of_collective(planned, model, bcast_b, session.rank(), bcast_binomial), of_compute(s, rows, speeds),
          of_collective(planned, model, gather_c, session.rank(), gatherv_flat)};
}

}  // namespace tombolo::matmul
