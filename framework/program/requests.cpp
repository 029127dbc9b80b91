#include <tombolo/framework/program/halo_rows.hpp>
#include <tombolo/framework/program/requests.hpp>

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

std::vector<std::int64_t> moved_by_members(const Declaration& program, const Arrangement& arrangement,
                                           const DeclaredTask& task) {
  const Redistribution moves = redistribution_of(program, arrangement, task);
  std::vector<std::int64_t> elements;
  for (Rank member = 0; member < arrangement.ranks(); ++member) {
    const SpendingMove mine(moves, member);
    elements.push_back(task.kind == TaskKind::pack ? mine.packed() : mine.unpacked());
  }
  return elements;
}

std::optional<Request> request_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                  Rank member) {
  const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
  if (!task.communicates() || task.array == DeclaredTask::none) return std::nullopt;
  const DeclaredArray& array = program.arrays[static_cast<std::size_t>(task.array)];
  const std::int64_t columns = array.shape.columns;
  const Rank root = arrangement.member(array.root.value_or(arrangement.members.front()));
  const auto blocks = [&] { return arrangement.division(array.slices).panel(action.panel).times(columns); };
  const std::int64_t all = array.shape.rows * columns;
  switch (task.kind) {
    case TaskKind::scatterv:
      return Request::scatterv(root, blocks(), array.element).with_in_place(true);
    case TaskKind::gatherv:
      return Request::gatherv(root, blocks(), array.element).with_in_place(true);
    case TaskKind::bcast:
      return Request::bcast(arrangement.ranks(), root, all, array.element);
    case TaskKind::allgatherv:
      return Request::allgatherv(blocks(), array.element).with_in_place(true);
    case TaskKind::allreduce:
      return Request::allreduce(arrangement.ranks(), all, array.element, task.commutative).with_in_place(true);
    case TaskKind::halo: {
      const int ranks = arrangement.ranks();
      Request request = Request::alltoallv(
          ranks, halo_exchange(arrangement.division(array.slices), array.halo, columns, member), array.element);
      if (!request.exchange.knows((member + 1) % ranks)) request.knowledge = Knowledge::as_in_mpi;
      return request;
    }
    case TaskKind::move:
      return redistribution_of(program, arrangement, task).request(member, array.element);
    default:
      return std::nullopt;
  }
}

}  // namespace tombolo
