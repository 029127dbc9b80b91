// What is expected of a program, as a report.
#include <algorithm>
#include <utility>

#include <tombolo/framework/program/arrange.hpp>
#include <tombolo/framework/program/requests.hpp>

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

// Operations of a member in a task over slices, and the items of its largest panel.
std::pair<double, std::int64_t> work_of(const Declaration& program, const Arrangement& arrangement,
                                        const DeclaredTask& task, Rank member) {
  const DeclaredSlices& slices = program.slices[static_cast<std::size_t>(task.slices)];
  const Division& division = arrangement.division(task.slices);
  double work = 0;
  std::int64_t items = 0;
  for (int panel = 0; panel < division.panels(); ++panel) {
    const Slice slice = division.slice(panel, member);
    work += static_cast<double>(weight(slices, slice.first, slice.count));
    items = std::max(items, slice.count);
  }
  return {work * task.operations, items};
}

}  // namespace

std::vector<double> computing_seconds(const Declaration& program, const Arrangement& arrangement,
                                      const SpeedsByKernel& speeds, std::span<const std::int64_t> passes) {
  std::vector<double> sums(arrangement.members.size(), 0);
  for (const DeclaredTask& task : program.tasks) {
    const bool computes = task.kind == TaskKind::compute && task.operations > 0;
    if (!computes && (!task.puts_in_order() || task.kernel.empty())) continue;
    const auto times =
        static_cast<double>(task.loop == DeclaredTask::none ? 1 : passes[static_cast<std::size_t>(task.loop)]);
    std::vector<std::int64_t> moved;
    if (!computes) moved = moved_by_members(program, arrangement, task);
    for (std::size_t member = 0; member < sums.size(); ++member) {
      const auto [work, items] = computes ? work_of(program, arrangement, task, static_cast<Rank>(member))
                                          : std::pair(static_cast<double>(moved[member]), std::int64_t{0});
      const SpeedFunction& speed = speeds.at(task.kernel)[static_cast<std::size_t>(arrangement.members[member])];
      sums[member] += times * work / static_cast<double>(speed.at(problem_size(task, items)));
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
    const auto times =
        static_cast<double>(task.loop == DeclaredTask::none ? 1 : passes[static_cast<std::size_t>(task.loop)]);
    report.tasks[t].predicted_s = seconds(expected.predicted) * times;
    report.tasks[t].bound_s = seconds(expected.bound) * times;
  }
  report.bound_s = bound_of(program, report);
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
