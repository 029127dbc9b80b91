#include <algorithm>

#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>

namespace tombolo {

namespace {

class ComputeRunner : public TaskRunner {
 public:
  ComputeRunner(const RunContext& run, const Action& action)
      : TaskRunner(run, action),
        body_(run.body.work(action.task).on_range),
        domain_(run.body.domain(task_.slices)),
        caller_(run.body, body_.accesses, action.task, run.check) {}

  void run(const Between& between) override {
    begin_partial(run_, task_);
    for (const Slice& slice : slices_of(run_.body.declared, run_.arrangement, action_, run_.member)) {
      if (slice.count > 0) compute(slice, between);
    }
  }

 private:
  double operations(const Slice& slice) const {
    return task_.operations * static_cast<double>(weight(domain_, slice.first, slice.count));
  }
  void compute(const Slice& slice, const Between& between) {
    Pieces pieces{slice.count, 1};
    if (between) {
      const double seconds = run_.costs.computing_s(task_, run_.member, operations(slice));
      pieces = pieces_of(task_, domain_.grain, slice.count, seconds);
    }
    bool messages = static_cast<bool>(between);  // under way
    for (std::int64_t first = 0; first < slice.count;) {
      const Slice piece{slice.first + first, std::min(pieces.items, slice.count - first), slice.local + first};
      const double work = operations(piece) / static_cast<double>(pieces.parts);
      for (std::int64_t part = 0; part < pieces.parts; ++part) {
        run_.session.compute(work, [&] { caller_.call(body_, domain_, piece, part, pieces.parts); });
        run_.recorder.computed(action_.task, work);
        messages = messages && between();
      }
      first += piece.count;
      if (!messages) pieces = {slice.count, 1};
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
