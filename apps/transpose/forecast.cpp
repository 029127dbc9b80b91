#include "transpose/forecast.hpp"

#include <array>

#include <tombolo/platform/mpi/of_all_ranks.hpp>

#include "transpose/exchange.hpp"

namespace tombolo::transposition {

namespace {

Forecast forecast_exchange(Session& session, Collectives& collectives, const Problem& problem, const Layouts& layouts) {
  if (layouts.exchange.all_stay()) return {.how = "every element is on its rank"};
  if (!layouts.exchange.all_know()) return {.how = "counts that each rank has of its own, not predicted"};
  const Request exchange = Request::alltoallv(session.ranks(), layouts.counts, element_info(problem.type).bytes);
  return forecast_collective(collectives, *session.planner(), exchange, alltoallv_direct);
}

}  // namespace

MovedBytes moved_bytes(Session& session, const Problem& problem, const TransposeParts& parts) {
  const std::array<std::int64_t, 2> mine{parts.packs() ? parts.of_a() : 0, parts.unpacks() ? parts.of_b() : 0};
  const auto each = static_cast<double>(element_info(problem.type).bytes);
  MovedBytes moved;
  for (const auto& [packed, unpacked] : of_all_ranks(session.communicator(), mine)) {
    moved.packed.push_back(static_cast<double>(packed) * each);
    moved.unpacked.push_back(static_cast<double>(unpacked) * each);
  }
  return moved;
}

std::vector<Phase> forecast(Session& session, Collectives& collectives, const Problem& problem, const Layouts& layouts,
                            const MovedBytes& moved, const std::vector<BytesPerSecond>& speeds) {
  if (layouts.exchange.is_view()) {
    const Forecast nothing{.how = "view: nothing moves"};
    return {{phase_names[0], nothing}, {phase_names[1], nothing}, {phase_names[2], nothing}};
  }
  const char* const how = layouts.exchange.turns() ? "blocks of A, transposed" : "blocks of A, copied";
  return {{phase_names[0], forecast_work(how, moved.packed, speeds)},
          {phase_names[1], forecast_exchange(session, collectives, problem, layouts)},
          {phase_names[2], forecast_work("parts of B, from blocks", moved.unpacked, speeds)}};
}

}  // namespace tombolo::transposition
