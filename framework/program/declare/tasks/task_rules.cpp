#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

bool meet(const std::vector<Touch>& one, const std::vector<Touch>& other) {
  return std::any_of(one.begin(), one.end(),
                     [&](const Touch& touch) { return std::find(other.begin(), other.end(), touch) != other.end(); });
}

}  // namespace

Touches touches(const Declaration& program, const DeclaredTask& task) {
  return rules(task.kind).touches(program, task);
}

bool conflict(const Touches& one, const Touches& other) {
  return meet(one.writes, other.reads) || meet(one.reads, other.writes) || meet(one.writes, other.writes);
}

const TaskRules& rules(TaskKind kind) {
#define TOMBOLO_TASK(NAME) NAME##_rules,
  constexpr std::array all{
#include <tombolo/framework/program/declare/tasks/tasks.def>
  };
#undef TOMBOLO_TASK
  return all.at(static_cast<std::size_t>(kind))();
}

int panels_of(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task) {
  const int along = rules(task.kind).cut_along(program, task);
  return along == DeclaredTask::none ? 1 : arrangement.division(along).panels();
}

void refuse(const Declaration& program, const std::string& cause, const std::string& remedy) {
  throw Error(fmt::format("program {}: {}", program.name, cause), remedy);
}

void need(bool good, const Declaration& program, const DeclaredTask& task, int of, const std::string& what) {
  if (good) return;
  refuse(program,
         fmt::format("{} '{}' needs {} to be {}", name(task.kind), task.name, array_of(program, of).name, what),
         "declare the array so, or use another task");
}

void check_accesses(const Declaration& program, const DeclaredTask& task) {
  for (const int array : task.combines) need(array_of(program, array).partial(), program, task, array, "partial");
  for (const auto* accesses : {&task.reads, &task.around, &task.writes, &task.updates}) {
    for (const int array : *accesses) {
      if (!array_of(program, array).partial()) continue;
      refuse(program,
             fmt::format("'{}' accesses {}, a partial value, directly", task.name, array_of(program, array).name),
             "combines() adds to it, whole() reads it once it is reduced");
    }
  }
  const auto once = [&](const std::vector<int>& arrays, const char* access) {
    for (const int array : arrays) {
      std::ptrdiff_t uses = 0;
      for (const auto* other : {&task.reads, &task.around, &task.wholes, &task.writes, &task.updates, &task.combines}) {
        uses += std::count(other->begin(), other->end(), array);
      }
      if (uses == 1) continue;
      refuse(program,
             fmt::format("'{}' {} {} and accesses it in another way too, so its result would depend on which rank has "
                         "which items",
                         task.name, access, array_of(program, array).name),
             "updates() reads and writes; for values of other items write into a second array and swap");
    }
  };
  once(task.writes, "writes");
  once(task.updates, "updates");
  once(task.combines, "combines");
  for (const int array : task.wholes) {
    need(array_of(program, array).everywhere, program, task, array, "everywhere, to be read as a whole");
  }
  for (const int array : task.around) {
    need(array_of(program, array).halo > 0, program, task, array, "with a halo, to be read around the range");
  }
}

void check_cost(const Declaration& program, const DeclaredTask& task) {
  if (task.kernel.empty()) {
    refuse(program, fmt::format("'{}' computes by no kernel, so its speed is not known", task.name),
           "name the kernel that it is like, dgemm or stencil, or register your own");
  }
  if (!std::isfinite(task.operations)) {
    refuse(program, fmt::format("'{}' takes {} operations", task.name, task.operations),
           "say how many of its kernel an item takes, about");
  }
  if (task.operations < 0) {
    refuse(program, fmt::format("'{}' does not say how many operations it takes", task.name),
           "say how many of its kernel an item takes, about");
  }
}

void add_items(const Declaration& program, int array, std::vector<Touch>& to) {
  const DeclaredArray& used = array_of(program, array);
  if (used.sliced()) to.push_back({array, Aspect::slices});
  if (!used.sliced() || used.everywhere) to.push_back({array, Aspect::whole});
}

std::vector<MemberWork> work_of_items(const Declaration& program, const Arrangement& arrangement,
                                      const Action& action) {
  const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
  std::vector<MemberWork> work(arrangement.members.size(), {.each = task.operations});
  for (Rank member = 0; member < arrangement.ranks(); ++member) {
    MemberWork& mine = work[static_cast<std::size_t>(member)];
    for (const Slice& slice : slices_of(program, arrangement, action, member)) {
      mine.units += weight(program.slices[static_cast<std::size_t>(task.slices)], slice.first, slice.count);
      mine.items += slice.count;
    }
  }
  return work;
}

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
          task.transposed, OwnData::stays, task.partly ? Covers::some : Covers::all};
}

bool are_opposite(const Request& one, const Request& other) {
  const auto are = [](const Request& out, const Request& in) {
    return out.operation == Operation::scatterv && in.operation == Operation::gatherv;
  };
  return one.root == other.root && (are(one, other) || are(other, one));
}

std::optional<Request> request_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                  Rank member) {
  const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
  return rules(task.kind).request(program, arrangement, action, member);
}

}  // namespace tombolo
