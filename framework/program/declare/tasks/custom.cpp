#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

// Rules of a custom task: its accesses are each rank's items, or all that the rank holds of an array in no domain.
class CustomRules : public TaskRules {
 public:
  Activity activity() const override { return Activity::own_communication; }
  void check(const Declaration& program, const DeclaredTask& task) const override {
    check_accesses(program, task);
    if (task.operations != 0) check_cost(program, task);
    for (const auto* accesses : {&task.reads, &task.writes, &task.updates}) {
      for (const int used : *accesses) {
        need(!array_of(program, used).placed, program, task, used, "over a domain or a whole, to be viewed");
      }
    }
  }
  Touches touches(const Declaration& program, const DeclaredTask& task) const override {
    return compute_rules().touches(program, task);
  }
  void follow(const Declaration& /*program*/, const DeclaredTask& task, NewestValues& values) const override {
    for (const int array : task.reads) values.need_moved(task, array);
    for (const int array : task.updates) values.need_moved(task, array);
    for (const int array : task.around) values.need_halo(task, array);
    for (const int array : task.wholes) values.need_everywhere(task, array);
    for (const int array : task.writes) values.wrote_moved(array);
    for (const int array : task.updates) values.wrote_moved(array);
    for (const int array : task.combines) values.combined(task, array);
  }
  // A view covers one range.
  bool allows_panels(const Declaration& program, const DeclaredTask& task, int domain) const override {
    for (const auto* accesses : {&task.reads, &task.around, &task.writes, &task.updates}) {
      for (const int used : *accesses) {
        if (array_of(program, used).slices == domain) return false;
      }
    }
    return true;
  }
  std::vector<MemberWork> work(const Declaration& program, const Arrangement& arrangement,
                               const Action& action) const override {
    const double operations = program.tasks[static_cast<std::size_t>(action.task)].operations;
    return std::vector<MemberWork>(arrangement.members.size(), {.each = operations, .units = 1});
  }
};

}  // namespace

const TaskRules& custom_rules() {
  static const CustomRules rules;
  return rules;
}

}  // namespace tombolo
