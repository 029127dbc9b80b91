#include <algorithm>

#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/predict/search_budget.hpp>

namespace tombolo {

namespace {

// Messages of many buffer ranges cost more to write than to simulate, also where the ranges become few.
constexpr std::int64_t pieces_like_a_step = 4;
constexpr std::int64_t joined_like_a_step = 64;

// Estimates a plan's messages from the schedules of the root, which may have far more steps than other ranks, and of a
// few other ranks. Stops once the estimate exceeds `most`.
std::int64_t messages_of(const Plan& plan, std::int64_t most, bool detours) {
  constexpr int most_others = 6;
  const Request& request = plan.request();
  const int others = request.ranks - 1;
  const auto steps = [&](Rank rank) {
    const Schedule schedule = plan.direct(rank, request);
    const auto count = static_cast<std::int64_t>(schedule.size());
    const auto pieces = static_cast<std::int64_t>(schedule.parts().pieces.size());
    return count + std::max<std::int64_t>(pieces - 2 * count, 0) / pieces_like_a_step +
           schedule.parts().joined / joined_like_a_step;
  };
  const int looked_at = std::min(others, most_others);
  const std::int64_t of_root = steps(request.root);
  std::int64_t sum = 0;
  const auto all = [&] {
    return (of_root + (looked_at == 0 ? 0 : sum * others / looked_at)) * (detours ? messages_per_detour : 1) / 2;
  };
  for (int i = 0; i < looked_at && all() <= most; ++i) {
    const auto further = static_cast<Rank>(1 + std::int64_t{i} * others / looked_at);
    sum += steps((request.root + further) % request.ranks);
  }
  return all();
}

}  // namespace

std::int64_t messages_of(const Plan& plan, std::int64_t most) {
  return messages_of(plan, most, !plan.parameters().detours.empty());
}

bool affords_detours(const Plan& direct, const SearchBudget& budget) {
  const std::int64_t most = budget.affordable(direct.request().ranks);
  const bool weighed = direct.algorithm().in_a_row != nullptr;
  const std::int64_t messages = messages_of(direct, weighed ? most_weighed_over_detours : most, true);
  return messages <= most ||
         (weighed && messages <= most_weighed_over_detours && messages / weighed_over_detours <= most);
}

}  // namespace tombolo
