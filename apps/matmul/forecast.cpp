#include "matmul/forecast.hpp"

#include "matmul/rows.hpp"

namespace tombolo::matmul {

std::vector<double> flops_of_ranks(GemmShape shape, const Blocks& rows) {
  std::vector<double> of_ranks;
  for (int r = 0; r < rows.size(); ++r) of_ranks.push_back(flops({.m = rows.count(r), .n = shape.n, .k = shape.k}));
  return of_ranks;
}

std::vector<Phase> forecast(Session& session, Collectives& collectives, const Problem& problem, const Blocks& rows,
                            Rank root, const std::vector<FlopsPerSecond>& speeds) {
  const Planner& planner = *session.planner();
  const GemmShape& s = problem.shape;
  const Bytes element = element_info(problem.type).bytes;
  const Slices a(rows, s.k, session.phantom());
  const Slices c(rows, s.n, session.phantom());
  // The root's own slice stays where it is, in the whole matrix.
  const Request scatter_a = Request::scatterv(root, a.blocks, a.elements * element).with_in_place(true);
  const Request bcast_b = Request::bcast(session.ranks(), root, s.k * s.n, element);
  const Request gather_c = Request::gatherv(root, c.blocks, c.elements * element).with_in_place(true);
  return {{phase_names[0], forecast_collective(collectives, planner, scatter_a, scatterv_flat)},
          {phase_names[1], forecast_collective(collectives, planner, bcast_b, bcast_binomial)},
          {phase_names[2], forecast_work("gemm of OpenBLAS", flops_of_ranks(s, rows), speeds)},
          {phase_names[3], forecast_collective(collectives, planner, gather_c, gatherv_flat)}};
}

}  // namespace tombolo::matmul
