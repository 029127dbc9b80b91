#include <algorithm>

#include <tombolo/collectives/choose/search_state.hpp>

namespace tombolo {

namespace {

// A quick time of more than this multiple of the least cannot become the fastest under fair sharing.
constexpr Picoseconds hopeless = 3;
// Budgets in simulated messages under queueing, each about a microsecond, and the price of a message under fair
// sharing.
constexpr std::int64_t most_to_all = std::int64_t{1} << 19;
constexpr std::int64_t most_to_first = std::int64_t{1} << 18;
constexpr std::int64_t price_of_sharing = 3;

}  // namespace

SearchState::SearchState(To to, int ranks) : to_(to) {
  all_ = (to == To::all ? most_to_all : most_to_first) * SearchBudget::times(ranks);
  begin();
}

void SearchState::begin() {
  left_ = all_ / 2;
  kept_ = all_ - left_;
}

void SearchState::begin_orders() {
  before_orders_ = left_;
  left_ = all_ / 4;
}

void SearchState::look_closely() {
  left_ = plus(left_, kept_);
  kept_ = 0;
}

void SearchState::look_at_detours() {
  left_ = plus(std::max<std::int64_t>(left_, 0), all_ / 2);
}

bool SearchState::affords_detours(const Plan& direct) const {
  return tombolo::affords_detours(direct, {.left = left_ / price_of_sharing});
}

Fidelity SearchState::quick_look() const {
  // Two segments predict a pipeline poorly, but well enough to rank candidates.
  Fidelity look{.sharing = Sharing::queued, .steady = false, .segments = 2, .messages = 1 << 10};
  if (!to_first()) return look;
  look.limit = quickest_ > never / hopeless ? never : quickest_ * hopeless;
  look.limit = std::min(look.limit, alike_fastest());
  return look;
}

Fidelity SearchState::close_look(Picoseconds own_best) const {
  if (!to_first()) return {};
  // Half as much again leaves room for a gain by other settings.
  const Picoseconds near = std::min(own_best, plus(fastest_, fastest_ / 2));
  return {.limit = std::max(near, alike_to(plus(fastest_, fastest_ / segments_cost)))};
}

Picoseconds SearchState::predict(const Plan& plan, const Model& model, const Fidelity& look) {
  const std::int64_t price = look.sharing == Sharing::fair ? price_of_sharing : 1;
  const std::int64_t may = left_ / price;
  SearchBudget budget{.left = may};
  const Picoseconds time = pipeline_time(plan, model, look, &budget);
  const std::int64_t messages = may - budget.left;
  left_ -= messages * price;
  gave_up_ = time == never && messages > 0;
  return time;
}

}  // namespace tombolo
