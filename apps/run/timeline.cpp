#include "run/timeline.hpp"

#include <algorithm>
#include <utility>

namespace tombolo {

namespace {

double latest(const std::vector<PhaseEnds>& ends, std::size_t phase) {
  double last = 0;
  for (const PhaseEnds& of_rank : ends) last = std::max(last, of_rank[phase]);
  return last;
}

}  // namespace

double Timeline::total() const {
  double sum = 0;
  for (const Phase& phase : phases) sum += phase.seconds;
  return sum;
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
    timeline.phases.push_back({task.name, {task.how, task.predicted_s, task.bound_s}, task.seconds});
  }
  timeline.spent.assign(static_cast<std::size_t>(run.ranks), std::vector<double>(run.tasks.size(), 0));
  for (const MemberReport& member : run.members) timeline.spent[static_cast<std::size_t>(member.rank)] = member.seconds;
  if (run.overlaps) timeline.whole_bound = run.bound_s;
  return timeline;
}

Timeline timeline_of(std::vector<Phase> phases, const std::vector<PhaseEnds>& ends) {
  Timeline timeline{.phases = std::move(phases), .spent = ends};
  for (std::size_t phase = timeline.phases.size(); phase-- > 1;) {
    for (std::vector<double>& of_rank : timeline.spent) of_rank[phase] -= of_rank[phase - 1];
  }
  double before = 0;
  for (std::size_t phase = 0; phase < timeline.phases.size(); ++phase) {
    const double end = latest(ends, phase);
    timeline.phases[phase].seconds = end - before;
    before = end;
  }
  return timeline;
}

Blocks shares_of(const RunReport& run) {
  std::vector<std::int64_t> shares(static_cast<std::size_t>(run.ranks), 0);
  for (const MemberReport& member : run.members) {
    shares[static_cast<std::size_t>(member.rank)] = member.items.front();
  }
  return Blocks(std::move(shares));
}

}  // namespace tombolo
