#include "run/work.hpp"

#include <algorithm>
#include <numeric>

namespace tombolo {

namespace {

double seconds_of(const Work& work, const Timeline& timeline, std::size_t rank) {
  double sum = 0;
  for (const std::size_t phase : work.phases) sum += timeline.spent[rank][phase];
  return sum;
}

}  // namespace

double Work::total() const {
  return std::accumulate(amount.begin(), amount.end(), 0.0);
}

double Work::rank_speed(const Timeline& timeline, std::size_t rank) const {
  return per_second(amount[rank], seconds_of(*this, timeline, rank));
}

double Work::speed(const Timeline& timeline) const {
  double slowest = 0;
  for (std::size_t rank = 0; rank < amount.size(); ++rank) {
    slowest = std::max(slowest, seconds_of(*this, timeline, rank));
  }
  return per_second(total(), slowest);
}

}  // namespace tombolo
