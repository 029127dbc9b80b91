#include "transpose/forecast.hpp"

namespace tombolo::transposition {

namespace {

std::vector<double> bytes(const Problem& problem, const Slices& slices, std::int64_t (Slices::*elements)(Rank) const) {
  std::vector<double> of_ranks;
  const auto each = static_cast<double>(element_info(problem.type).bytes);
  for (Rank rank = 0; rank < std::ssize(slices.rows_of_a); ++rank) {
    of_ranks.push_back(static_cast<double>((slices.*elements)(rank)) * each);
  }
  return of_ranks;
}

}  // namespace

std::vector<double> packed_bytes(const Problem& problem, const Slices& slices) {
  return bytes(problem, slices, &Slices::packed);
}

std::vector<double> unpacked_bytes(const Problem& problem, const Slices& slices) {
  return bytes(problem, slices, &Slices::unpacked);
}

std::vector<Phase> forecast(Session& session, Collectives& collectives, const Problem& problem, const Slices& slices,
                            const std::vector<BytesPerSecond>& speeds) {
  const Request exchange = Request::alltoallv(session.ranks(), slices.exchange, element_info(problem.type).bytes);
  return {{phase_names[0], forecast_work("blocks of A, transposed", packed_bytes(problem, slices), speeds)},
          {phase_names[1], forecast_collective(collectives, *session.planner(), exchange, alltoallv_direct)},
          {phase_names[2], forecast_work("rows of B, from blocks", unpacked_bytes(problem, slices), speeds)}};
}

}  // namespace tombolo::transposition
