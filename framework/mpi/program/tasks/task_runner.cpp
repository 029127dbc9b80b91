#include <array>

#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>

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

}  // namespace tombolo
