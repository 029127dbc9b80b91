#include <fmt/format.h>

#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

class ComputeRules : public TaskRules {
 public:
  Activity activity() const override { return Activity::computation; }
  bool computes_items() const override { return true; }
  void check(const Declaration& program, const DeclaredTask& task) const override {
    for (const auto* accesses : {&task.reads, &task.around, &task.writes, &task.updates}) {
      for (const int used : *accesses) {
        const DeclaredArray& a = array_of(program, used);
        if (a.placed) {
          check_placed(program, task, used, accesses == &task.reads || accesses == &task.updates);
          continue;
        }
        if ((a.sliced() && a.slices == task.slices) || a.partial()) continue;
        const std::string& over = program.slices[static_cast<std::size_t>(task.slices)].name;
        refuse(
            program,
            fmt::format("'{}' computes over {} and accesses items of {}, which is {}", task.name, over, a.name,
                        a.sliced() ? "over another domain" : "over no domain"),
            "items are those of the domain; whole() reads what every rank holds, combines() adds to a partial value");
      }
    }
    check_accesses(program, task);
    check_cost(program, task);
  }
  Touches touches(const Declaration& program, const DeclaredTask& task) const override {
    Touches found;
    for (const int array : task.reads) add_items(program, array, found.reads);
    for (const int array : task.wholes) found.reads.push_back({array, Aspect::whole});
    for (const int array : task.updates) {
      add_items(program, array, found.reads);
      add_items(program, array, found.writes);
    }
    for (const int array : task.writes) add_items(program, array, found.writes);
    for (const int array : task.combines) {
      found.reads.push_back({array, Aspect::whole});
      found.writes.push_back({array, Aspect::whole});
    }
    for (const int array : task.around) {
      add_items(program, array, found.reads);
      found.reads.push_back({array, Aspect::halo});
    }
    return found;
  }
  void follow(const Declaration& /*program*/, const DeclaredTask& task, NewestValues& values) const override {
    for (const int array : task.reads) values.need_items(task, array);
    for (const int array : task.updates) values.need_items(task, array);
    for (const int array : task.around) values.need_halo(task, array);
    for (const int array : task.wholes) values.need_everywhere(task, array);
    for (const int array : task.writes) values.wrote_items(array);
    for (const int array : task.updates) values.wrote_items(array);
    for (const int array : task.combines) values.combined(task, array);
  }
  int cut_along(const Declaration& /*program*/, const DeclaredTask& task) const override { return task.slices; }
  // A body sees all that its rank has of an explicit distribution, which must be that of the rank's items.
  static void check_placed(const Declaration& program, const DeclaredTask& task, int array, bool allowed) {
    const DeclaredDomain& over = program.slices[static_cast<std::size_t>(task.slices)];
    if (allowed && !over.given.empty()) return;
    refuse(program,
           fmt::format("'{}' computes over {} and accesses {}, which has a distribution of its own", task.name,
                       over.name, array_of(program, array).name),
           "read or update it, over a domain with .given shares");
  }
  // Between a rank's items in two panels lie items of other ranks.
  bool allows_panels(const Declaration& program, const DeclaredTask& task, int domain) const override {
    return task.slices != domain || !goes_in_order(program, task);
  }
  std::vector<MemberWork> work(const Declaration& program, const Arrangement& arrangement,
                               const Action& action) const override {
    return work_of_items(program, arrangement, action);
  }
};

}  // namespace

const TaskRules& compute_rules() {
  static const ComputeRules rules;
  return rules;
}

}  // namespace tombolo
