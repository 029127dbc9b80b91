#include <algorithm>

#include <tombolo/collectives/race.hpp>

namespace tombolo {

namespace {

// What takes so many times as long in a quick look as the quickest is not the fastest where flows share links.
constexpr Picoseconds hopeless = 3;
// Messages that may be simulated where they queue, each of which takes about a microsecond, and what one costs where
// flows share links.
constexpr std::int64_t most = std::int64_t{1} << 19;
constexpr std::int64_t most_to_first = std::int64_t{1} << 18;
constexpr std::int64_t price_of_sharing = 3;

}  // namespace

Race::Race(To to) : to_(to) {
  const std::int64_t all = to == To::all ? most : most_to_first;
  left_ = all / 2;
  kept_ = all - left_;
}

void Race::look_closely() {
  left_ = plus(left_, kept_);
  kept_ = 0;
}

Look Race::quick_look() const {
  // Two segments say little of a pipeline, but enough to see which are worth more.
  Look look{.sharing = Sharing::queued, .steady = false, .segments = 2, .messages = 1 << 10};
  if (!to_first()) return look;
  look.limit = quickest_ > never / hopeless ? never : quickest_ * hopeless;
  look.limit = std::min(look.limit, alike_fastest());
  return look;
}

Look Race::close_look(Picoseconds own_best) const {
  if (!to_first()) return {};
  // Half as much again, for what may gain by other settings.
  const Picoseconds near = std::min(own_best, plus(fastest_, fastest_ / 2));
  return {.limit = std::max(near, alike_fastest())};
}

Picoseconds Race::predict(const Plan& plan, const Model& model, const Look& look) {
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
