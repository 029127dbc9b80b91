#include <fmt/format.h>

#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

class FarmRules : public TaskRules {
 public:
  Activity activity() const override { return Activity::own_communication; }
  bool hands_out() const override { return true; }
  void check(const Declaration& program, const DeclaredTask& task) const override {
    check_accesses(program, task);
    check_cost(program, task);
    const std::size_t others = task.reads.size() + task.around.size() + task.updates.size() + task.combines.size();
    if (others > 0 || task.writes.size() != 1) {
      refuse(program, fmt::format("farm '{}' does not access items by one writes() alone", task.name),
             "items go to whichever rank is ready: it reads whole() arrays and writes one array of results");
    }
    const DeclaredArray& results = array_of(program, task.array);
    need(results.slices == task.slices && results.root, program, task, task.array,
         "in items of the domain and at a root");
  }
  Touches touches(const Declaration& /*program*/, const DeclaredTask& task) const override {
    // Ranks other than the root keep chunks in the memory of their items.
    Touches found{{}, {{task.array, Aspect::whole}, {task.array, Aspect::slices}}};
    for (const int array : task.wholes) found.reads.push_back({array, Aspect::whole});
    return found;
  }
  void follow(const Declaration& /*program*/, const DeclaredTask& task, NewestValues& values) const override {
    for (const int array : task.wholes) values.need_everywhere(task, array);
    values.set(task.array, {.root = true});
  }
  bool allows_panels(const Declaration& /*program*/, const DeclaredTask& task, int domain) const override {
    return task.slices != domain;
  }
  std::vector<MemberWork> work(const Declaration& program, const Arrangement& arrangement,
                               const Action& action) const override {
    return work_of_items(program, arrangement, action);
  }
  std::string how(const Declaration& /*program*/, const Arrangement& /*arrangement*/,
                  const DeclaredTask& task) const override {
    return task.kernel + ", to whoever is ready";
  }
};

}  // namespace

const TaskRules& farm_rules() {
  static const FarmRules rules;
  return rules;
}

}  // namespace tombolo
