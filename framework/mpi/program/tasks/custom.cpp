#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>

namespace tombolo {

namespace {

class CustomRunner : public TaskRunner {
 public:
  CustomRunner(const RunContext& run, const Action& action)
      : TaskRunner(run, action),
        body_(run.body.work(action.task).by_itself),
        caller_(run.body, body_.accesses, action.task, run.check) {}

  void run(const Between& /*between*/) override {
    begin_partial(run_, task_);
    run_.session.compute(task_.operations,
                         [&] { caller_.call(body_, run_.collectives, run_.arrangement, run_.member); });
    if (run_.check != nullptr) run_.check->check_copies(action_.task, run_.communicator);
    run_.recorder.computed(action_.task, task_.operations);
  }

 private:
  const BoundBody<Collectives&>& body_;
  BodyCaller caller_;
};

}  // namespace

std::unique_ptr<TaskRunner> custom_runner(const RunContext& run, const Action& action) {
  return std::make_unique<CustomRunner>(run, action);
}

}  // namespace tombolo
