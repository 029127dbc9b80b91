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
  if (whole_bound) return *whole_bound;
  double sum = 0;
  for (const Phase& phase : phases) sum += phase.forecast.bound_s;
  return sum;
}

Timeline timeline_of(const RunReport& run) {
  Timeline timeline;
  for (const TaskReport& task : run.tasks) {
    timeline.phases.push_back({task.name, {task.how, task.predicted_s, task.bound_s}});
  }
  timeline.ends.assign(static_cast<std::size_t>(run.ranks), PhaseEnds(run.tasks.size(), 0));
  for (const MemberReport& member : run.members) {
    PhaseEnds& ends = timeline.ends[static_cast<std::size_t>(member.rank)];
    double end = 0;
    for (std::size_t task = 0; task < ends.size(); ++task) ends[task] = end += member.seconds[task];
  }
  if (run.overlaps) timeline.whole_bound = run.bound_s;
  return timeline;
}

Blocks shares_of(const RunReport& run) {
  std::vector<std::int64_t> shares(static_cast<std::size_t>(run.ranks), 0);
  for (const MemberReport& member : run.members) {
    shares[static_cast<std::size_t>(member.rank)] = member.items.front();
  }
  return Blocks(std::move(shares));
}

double Timeline::rank_seconds(std::size_t rank, std::size_t phase) const {
  return ends[rank][phase] - (phase == 0 ? 0 : ends[rank][phase - 1]);
}

}  // namespace tombolo
