#include <tombolo/framework/program/declare/requests.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

Distribution distribution_of(const Declaration& program, const Arrangement& arrangement, int array) {
  const DeclaredArray& a = program.arrays[static_cast<std::size_t>(array)];
  const int ranks = arrangement.ranks();
  if (a.placed) return *a.placed;
  if (a.sliced()) {
    const Division& division = arrangement.division(a.slices);
    std::vector<std::int64_t> heights;
    std::vector<Rank> owners;
    for (int panel = 0; panel < division.panels(); ++panel) {
      for (Rank rank = 0; rank < ranks; ++rank) {
        heights.push_back(division.panel(panel).count(rank));
        owners.push_back(rank);
      }
    }
    if (division.panels() == 1) return Distribution::rows(heights, a.shape.columns);
    return Distribution::blocks(heights, std::vector<std::int64_t>{a.shape.columns}, std::move(owners), ranks);
  }
  return a.everywhere ? Distribution::everywhere(a.shape, ranks)
                      : Distribution::at(arrangement.member(a.root.value_or(0)), a.shape, ranks);
}

Redistribution redistribution_of(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task) {
  return {distribution_of(program, arrangement, task.array), distribution_of(program, arrangement, task.to),
          task.transposed};
}

std::optional<Request> request_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                  Rank member) {
  const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
  return rules(task.kind).request(program, arrangement, action, member);
}

}  // namespace tombolo
