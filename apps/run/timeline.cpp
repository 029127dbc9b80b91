#include "run/timeline.hpp"

#include <algorithm>

namespace tombolo {

namespace {

double latest(const std::vector<PhaseEnds>& ends, std::size_t phase) {
  double last = 0;
  for (const PhaseEnds& of_rank : ends) last = std::max(last, of_rank[phase]);
  return last;
}

}  // namespace

double Timeline::phase_seconds(std::size_t phase) const {
  return phase == 0 ? latest(ends, 0) : latest(ends, phase) - latest(ends, phase - 1);
}

double Timeline::total() const {
  return latest(ends, phases.size() - 1);
}

double Timeline::predicted() const {
  double sum = 0;
  for (const Phase& phase : phases) sum += phase.forecast.predicted_s;
  return sum;
}

double Timeline::bound() const {
  double sum = 0;
  for (const Phase& phase : phases) sum += phase.forecast.bound_s;
  return sum;
}

double Timeline::rank_seconds(std::size_t rank, std::size_t phase) const {
  return ends[rank][phase] - (phase == 0 ? 0 : ends[rank][phase - 1]);
}

}  // namespace tombolo
