#include <algorithm>
#include <cmath>

#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>

namespace tombolo {

namespace {

// Pieces of a computation during a collective: progressing the collective between pieces costs time too.
constexpr std::int64_t most_pieces = 8;
constexpr double shortest_piece = 1e-3;  // s

class ComputeRunner : public TaskRunner {
 public:
  ComputeRunner(const RunContext& run, const Action& action)
      : TaskRunner(run, action),
        body_(run.body.work(action.task).on_range),
        domain_(run.body.domain(task_.slices)),
        caller_(run.body, body_.accesses, action.task, run.check) {}

  void run(const std::function<void()>& between) override {
    begin_partial(run_, task_);
    for (const Slice& slice : slices_of(run_.body.declared, run_.arrangement, action_, run_.member)) {
      if (slice.count > 0) compute(slice, between);
    }
  }

 private:
  double operations(const Slice& slice) const {
    return task_.operations * static_cast<double>(weight(domain_, slice.first, slice.count));
  }
  void compute(const Slice& slice, const std::function<void()>& between) {
    const std::int64_t least = std::max<std::int64_t>(domain_.grain, 1);
    std::int64_t pieces = 1;
    if (between) {
      const double wanted = run_.costs.computing_s(task_, run_.member, operations(slice)) / shortest_piece;
      pieces = std::clamp<std::int64_t>(std::llround(std::min(wanted, 1e6)), 1, most_pieces);
    }
    const std::int64_t each = pieces > 1 ? std::max(least, (slice.count - 1) / pieces + 1) : slice.count;
    for (std::int64_t first = 0; first < slice.count; first += each) {
      const Slice piece{slice.first + first, std::min(each, slice.count - first), slice.local + first};
      run_.session.compute(operations(piece), [&] { caller_.call(body_, domain_, piece); });
      run_.recorder.computed(action_.task, operations(piece));
      if (pieces > 1) between();
    }
  }

  const BoundBody<const Range&>& body_;
  const DeclaredDomain& domain_;
  BodyCaller caller_;
};

}  // namespace

std::unique_ptr<TaskRunner> compute_runner(const RunContext& run, const Action& action) {
  return std::make_unique<ComputeRunner>(run, action);
}

}  // namespace tombolo
