// Runners of collectives on one array, except halos: each kind defines its two buffers.
#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>

namespace tombolo {

namespace {

class OneArrayRunner : public CollectiveRunner {
 public:
  using CollectiveRunner::CollectiveRunner;

 protected:
  const Division& division() const { return run_.arrangement.division(array().declared().slices); }
  /// Returns the panel in the whole array; null if this rank does not hold the whole.
  std::byte* panel() const {
    return array().whole() ? array().data() + division().first_of_panel(action_.panel) * array().row_bytes() : nullptr;
  }
  /// Returns this rank's items; null at the root, whose items are in place.
  std::byte* items() const {
    const bool at_root = run_.arrangement.member(*array().declared().root) == run_.member;
    return at_root ? nullptr : array().at(division().slice(action_.panel, run_.member));
  }
};

class ScattervRunner : public OneArrayRunner {
  using OneArrayRunner::OneArrayRunner;
  Buffers buffers() override { return {panel(), items()}; }
};

class GathervRunner : public OneArrayRunner {
  using OneArrayRunner::OneArrayRunner;
  Buffers buffers() override { return {items(), panel()}; }
};

class BcastRunner : public OneArrayRunner {
  using OneArrayRunner::OneArrayRunner;
  Buffers buffers() override { return {array().data(), array().data()}; }
};

class AllgathervRunner : public OneArrayRunner {
  using OneArrayRunner::OneArrayRunner;
  Buffers buffers() override { return {nullptr, panel()}; }
};

class AllreduceRunner : public OneArrayRunner {
  using OneArrayRunner::OneArrayRunner;
  Buffers buffers() override { return {array().data(), array().data()}; }
  void finish() override {
    array().set_combining(false);
    if (run_.check != nullptr) run_.check->reduced(action_.task, run_.member);
  }
};

}  // namespace

std::unique_ptr<TaskRunner> scatterv_runner(const RunContext& run, const Action& action) {
  return std::make_unique<ScattervRunner>(run, action);
}
std::unique_ptr<TaskRunner> gatherv_runner(const RunContext& run, const Action& action) {
  return std::make_unique<GathervRunner>(run, action);
}
std::unique_ptr<TaskRunner> bcast_runner(const RunContext& run, const Action& action) {
  return std::make_unique<BcastRunner>(run, action);
}
std::unique_ptr<TaskRunner> allgatherv_runner(const RunContext& run, const Action& action) {
  return std::make_unique<AllgathervRunner>(run, action);
}
std::unique_ptr<TaskRunner> allreduce_runner(const RunContext& run, const Action& action) {
  return std::make_unique<AllreduceRunner>(run, action);
}

}  // namespace tombolo
