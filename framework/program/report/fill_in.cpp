#include <algorithm>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/report/fill_in.hpp>

namespace tombolo {

double bound_of(const Declaration& program, const RunReport& report) {
  double computing = 0;
  double communicating = 0;
  double longest = 0;
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const bool talks = program.tasks[t].communicates();
    (talks ? communicating : computing) += report.tasks[t].bound_s;
    if (talks) longest = std::max(longest, report.tasks[t].bound_s);
  }
  return report.overlaps ? std::max(computing, longest) : computing + communicating;
}

namespace {

// Returns the work of each member in all panels of a task, with the items of the member's largest panel.
std::vector<MemberWork> work_of(const Declaration& program, const Arrangement& arrangement, int number) {
  const DeclaredTask& task = program.tasks[static_cast<std::size_t>(number)];
  std::vector<MemberWork> all = rules(task.kind).work(program, arrangement, {number});
  for (int panel = 1; panel < panels_of(program, arrangement, task); ++panel) {
    const std::vector<MemberWork> more = rules(task.kind).work(program, arrangement, {number, panel});
    for (std::size_t member = 0; member < all.size(); ++member) {
      all[member].units += more[member].units;
      all[member].items = std::max(all[member].items, more[member].items);
    }
  }
  return all;
}

}  // namespace

std::vector<double> computing_seconds(const Declaration& program, const Arrangement& arrangement,
                                      const SpeedsByKernel& speeds, std::span<const std::int64_t> passes) {
  std::vector<double> sums(arrangement.members.size(), 0);
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const DeclaredTask& task = program.tasks[t];
    if (task.communicates()) continue;
    const auto times = static_cast<double>(passes_of(task.loop, passes));
    const std::vector<MemberWork> work = work_of(program, arrangement, static_cast<int>(t));
    for (std::size_t member = 0; member < work.size(); ++member) {
      if (work[member].operations() == 0) continue;
      const SpeedFunction& speed = speeds.at(task.kernel)[static_cast<std::size_t>(arrangement.members[member])];
      sums[member] +=
          times * work[member].operations() / static_cast<double>(speed.at(problem_size(task, work[member].items)));
    }
  }
  return sums;
}

void fill_in(const Declaration& program, const Arranged& arranged, const SpeedsByKernel& speeds,
             std::span<const std::int64_t> passes, RunReport& report) {
  const Arrangement& a = arranged.arrangement;
  report.how = a.how;
  report.overlaps = a.overlaps;
  report.predicted_s = seconds(arranged.outlook.makespan);
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const DeclaredTask& task = program.tasks[t];
    const TaskOutlook& expected = arranged.outlook.tasks[t];
    const auto times = static_cast<double>(passes_of(task.loop, passes));
    report.tasks[t].predicted_s = seconds(expected.predicted) * times;
    report.tasks[t].bound_s = seconds(expected.bound) * times;
  }
  // Bounds of tasks are added up, though a rank may begin one before the others have ended the one before.
  report.bound_s = std::min(bound_of(program, report), report.predicted_s);
  for (std::size_t l = 0; l < program.loops.size(); ++l) {
    report.loops.push_back({.name = program.loops[l].name, .most = program.loops[l].most, .passes = passes[l]});
  }
  const std::vector<double> computing = computing_seconds(program, a, speeds, passes);
  for (Rank r = 0; r < a.ranks(); ++r) {
    MemberReport member;
    member.rank = a.members[static_cast<std::size_t>(r)];
    for (const Division& division : a.divisions) member.items.push_back(division.items_of(r));
    member.predicted_s = computing[static_cast<std::size_t>(r)];
    report.members.push_back(std::move(member));
  }
}

}  // namespace tombolo
