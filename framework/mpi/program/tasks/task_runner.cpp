#include <array>

#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

std::unique_ptr<TaskRunner> runner_of(const RunContext& run, const Action& action) {
#define TOMBOLO_TASK(NAME) NAME##_runner,
  constexpr std::array all{
#include <tombolo/framework/program/declare/tasks/tasks.def>
  };
#undef TOMBOLO_TASK
  return all.at(static_cast<std::size_t>(run.body.task(action.task).kind))(run, action);
}

void begin_partial(const RunContext& run, const DeclaredTask& task) {
  for (const int number : task.combines) {
    ArrayMemory& partial = run.body.array(number);
    if (partial.combining()) continue;
    if (!partial.phantom()) run.body.reduction(number).begin(partial.data(), partial.elements());
    partial.set_combining(true);
  }
}

CollectiveRunner::CollectiveRunner(const RunContext& run, const Action& action)
    : TaskRunner(run, action),
      request_(request_of(run.body.declared, run.arrangement, action, run.member)),
      planned_(dynamic_cast<PlannedCollectives*>(&run.collectives)) {
  if (!request_) return;
  const bool by_mpi = run.costs.by_mpi(*request_);
  if (!by_mpi) plan_ = run.costs.plan(action);
  if (action.panel == 0) plan_.reset();
  // A nonblocking collective always uses a plan.
  if (planned_ != nullptr && !plan_ && (!by_mpi || run.arrangement.overlaps)) planned_->plan_for(*request_);
}

void CollectiveRunner::run(const Between& /*between*/) {
  const auto [input, output] = buffers();
  if (!request_) {
    // No communication.
  } else if (planned_ != nullptr && plan_) {
    planned_->run(*plan_, input, output, type(), op());
  } else {
    run_.collectives.run(*request_, input, output, type(), op());
  }
  finish();
}

std::optional<Pending> CollectiveRunner::begin() {
  if (!request_) {
    run({});
    return std::nullopt;
  }
  const auto [input, output] = buffers();
  return plan_ ? planned_->start(*plan_, input, output, type(), op())
               : planned_->start(*request_, input, output, type(), op());
}

Storage<std::byte> CollectiveRunner::room_for(std::int64_t elements) const {
  return run_.session.storage<std::byte>(elements * array().declared().element);
}

std::byte* CollectiveRunner::held(const ArrayMemory& array) const {
  if (!array.declared().sliced()) return array.data();
  return array.at(run_.arrangement.division(array.declared().slices).slice(0, run_.member));
}

}  // namespace tombolo
