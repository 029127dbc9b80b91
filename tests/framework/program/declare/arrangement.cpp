#include <catch2/catch.hpp>

#include <tombolo/framework/program/declare/arrangement.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

using Portion = Action::Portion;

/// What an action reads or writes, as tests see it: elements of memory that are apart from all others.
struct Memory {
  static constexpr int any = -1;  // all panels
  int array = 0;
  char part = 's';  // slices, whole, halo
  int panel = any;
};
struct Used {
  std::vector<Memory> reads;
  std::vector<Memory> writes;
};

bool meet(const std::vector<Memory>& one, const std::vector<Memory>& other) {
  for (const Memory& a : one) {
    for (const Memory& b : other) {
      const bool panels = a.panel == b.panel || a.panel == Memory::any || b.panel == Memory::any;
      if (a.array == b.array && a.part == b.part && panels) return true;
    }
  }
  return false;
}

bool has_to_wait(const Used& one, const Used& other) {
  return meet(one.writes, other.reads) || meet(one.reads, other.writes) || meet(one.writes, other.writes);
}

Used used_by(const Declaration& program, const Action& action) {
  const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
  const auto array = [&](int number) { return program.arrays[static_cast<std::size_t>(number)]; };
  const auto all = [](int number) { return std::vector<Memory>{{number, 's'}, {number, 'w'}, {number, 'h'}}; };
  switch (task.kind) {
    case TaskKind::scatterv:
      return {{{task.array, 'w', action.panel}}, {{task.array, 's', action.panel}}};
    case TaskKind::gatherv:
    case TaskKind::allgatherv:
      return {{{task.array, 's', action.panel}}, {{task.array, 'w', action.panel}}};
    case TaskKind::halo:
      return {{{task.array, 's'}}, {{task.array, 'h'}}};
    case TaskKind::pack:
    case TaskKind::unpack:
    case TaskKind::move:
      if (task.kind == TaskKind::pack || !task.spends) return {{{task.array, 's'}}, {{task.to, 's'}}};
      return {{{task.array, 's'}, {task.to, 's'}}, {{task.array, 's'}, {task.to, 's'}}};
    case TaskKind::swap: {
      std::vector<Memory> both = all(task.array);
      for (const Memory& memory : all(task.to)) both.push_back(memory);
      return {both, both};
    }
    case TaskKind::compute: {
      Used used;
      const auto add = [&](int number, std::vector<Memory>& to, bool reads) {
        if (array(number).sliced()) to.push_back({number, 's', action.panel});
        if (array(number).everywhere) to.push_back({number, 'w', reads ? Memory::any : action.panel});
      };
      for (const int number : task.reads) add(number, used.reads, true);
      for (const int number : task.writes) add(number, used.writes, false);
      for (const int number : task.wholes) used.reads.push_back({number, 'w', Memory::any});
      for (const int number : task.combines) used.writes.push_back({number, 'w', Memory::any});
      for (const int number : task.around) {
        used.reads.push_back({number, 's'});
        if (action.portion != Portion::inner) used.reads.push_back({number, 'h'});
      }
      return used;
    }
    default:
      return {{{task.array, 'w'}}, {{task.array, 'w'}}};
  }
}

// Slices 0 and 2 may be in panels; 1 has a halo.
Declaration random_program(std::mt19937& random) {
  Declaration program{
      .name = "random",
      .slices = {{.name = "rows", .items = 24}, {.name = "plate", .items = 24}, {.name = "columns", .items = 24}},
      .arrays = {at_root(sliced("A", {24, 24})), everywhere(at_root(whole("B", {24, 24}))),
                 at_root(sliced("C", {24, 24})), everywhere(sliced("X", {24, 24})),
                 with_halo(sliced("u", {24, 24}, 1), 1), with_halo(sliced("v", {24, 24}, 1), 1),
                 sliced("D", {24, 24}, 2), sliced("P", {24, 24}), everywhere(whole("S", {1, 1}))}};
  const auto one_of = [&](std::vector<int> all) { return all[random() % all.size()]; };
  for (int tasks = 1 + static_cast<int>(random() % 9); tasks > 0; --tasks) {
    switch (random() % 11) {
      case 0:
        program.tasks.push_back(about(TaskKind::scatterv, one_of({0, 2})));
        break;
      case 1:
        program.tasks.push_back(about(TaskKind::gatherv, one_of({0, 2})));
        break;
      case 2:
        program.tasks.push_back(about(one_of({0, 1}) == 0 ? TaskKind::bcast : TaskKind::allreduce, one_of({1, 8})));
        break;
      case 3:
        program.tasks.push_back(about(TaskKind::allgatherv, 3));
        break;
      case 4:
        program.tasks.push_back({.name = "move", .kind = TaskKind::move, .array = 7, .to = 6, .transposed = true});
        break;
      case 5:
        add_spending_move(program, 6, 7);
        break;
      case 6:
        program.tasks.push_back(about(TaskKind::halo, one_of({4, 5})));
        break;
      case 7:
        program.tasks.push_back({.name = "swap", .kind = TaskKind::swap, .array = 4, .to = 5});
        break;
      case 8: {
        const int from = one_of({4, 5});
        program.tasks.push_back(compute({8}, {9 - from}, 1, 1));
        program.tasks.back().around = {from};
        break;
      }
      case 9:
        program.tasks.push_back(compute({6, 1}, {6}, 1, 2));
        break;
      default:
        program.tasks.push_back(compute({one_of({0, 2, 3, 7}), one_of({0, 1, 2, 3, 8})}, {one_of({0, 2, 3, 7})}));
    }
  }
  return program;
}

std::vector<std::vector<bool>> waited_for(const std::vector<Action>& actions) {
  std::vector<std::vector<bool>> before(actions.size(), std::vector<bool>(actions.size(), false));
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for (const int j : actions[i].after) {
      REQUIRE(j < static_cast<int>(i));
      before[i][static_cast<std::size_t>(j)] = true;
      for (std::size_t k = 0; k < i; ++k) before[i][k] = before[i][k] || before[static_cast<std::size_t>(j)][k];
    }
  }
  return before;
}

void check_order(const Declaration& program, const std::vector<Action>& actions) {
  const auto before = waited_for(actions);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for (std::size_t j = 0; j < actions.size(); ++j) {
      if (actions[i].task >= actions[j].task) continue;
      if (!has_to_wait(used_by(program, actions[i]), used_by(program, actions[j]))) continue;
      INFO("task " << actions[j].task << " panel " << actions[j].panel << " after " << actions[i].task << " panel "
                   << actions[i].panel);
      REQUIRE(before[j][i]);
    }
  }
}

}  // namespace

TEST_CASE("a rank of the session is one of the members, or none") {
  const Arrangement some{{1, 4, 5}, {}, false, {}};
  CHECK(some.ranks() == 3);
  CHECK(some.member(1) == 0);
  CHECK(some.member(5) == 2);
  for (const Rank none : {-1, 0, 2, 3, 6}) CHECK(some.member(none) == -1);
}

TEST_CASE("every order lets each action wait for what it needs, in any panels") {
  std::mt19937 random(1);
  for (int round = 0; round < 1000; ++round) {
    const Declaration program = random_program(random);
    const int ranks = 1 + static_cast<int>(random() % 5);
    const auto panels = [&] { return 1 + static_cast<int>(random() % 4); };
    const Division rows = random_division(24, panels(), ranks, random);
    const Division plate = random_division(24, 1, ranks, random);
    const Division columns = random_division(24, panels(), ranks, random);
    const Arrangement arranged = arrangement({rows, plate, columns}, random() % 2 == 0);
    const int end = static_cast<int>(program.tasks.size());
    const int first = static_cast<int>(random() % program.tasks.size());
    const std::vector<Action> actions = actions_of(program, arranged, first, end);
    check_order(program, actions);
    // Each task once, in all its panels or portions.
    for (int task = first; task < end; ++task) {
      std::vector<int> seen;
      int inner = 0;
      for (const Action& action : actions) {
        if (action.task != task) continue;
        if (action.portion != Portion::inner) seen.push_back(action.panel);
        if (action.portion == Portion::inner) ++inner;
      }
      std::sort(seen.begin(), seen.end());
      REQUIRE(inner == (arranged.overlaps && !program.tasks[static_cast<std::size_t>(task)].around.empty() ? 1 : 0));
      for (std::size_t i = 0; i < seen.size(); ++i) REQUIRE(seen[i] == static_cast<int>(i));
      REQUIRE_FALSE(seen.empty());
    }
    // What is neither cut nor overlaps is done as declared.
    if (arranged.overlaps || rows.panels() > 1 || columns.panels() > 1) continue;
    for (std::size_t i = 0; i < actions.size(); ++i) REQUIRE(actions[i].task == first + static_cast<int>(i));
  }
}

TEST_CASE("panels of a product wait for the same panel only, and for all of B") {
  for (const int panels : {2, 3, 7}) {
    const Declaration program = product(70, 10, 5);
    const Arrangement arranged =
        arrangement({divide(program.slices[0], std::vector<std::int64_t>{1, 2}, panels)}, true);
    const std::vector<Action> actions = actions_of(program, arranged, 0, 4);
    REQUIRE(actions.size() == static_cast<std::size_t>(3 * panels + 1));
    const auto place = [&](int task, int panel) {
      for (std::size_t i = 0; i < actions.size(); ++i) {
        if (actions[i].task == task && actions[i].panel == panel) return static_cast<int>(i);
      }
      return -1;
    };
    for (int panel = 0; panel < panels; ++panel) {
      const auto after = [&](int task) {
        std::vector<int> sorted = actions[static_cast<std::size_t>(place(task, panel))].after;
        std::sort(sorted.begin(), sorted.end());
        return sorted;
      };
      CHECK(after(0).empty());
      std::vector<int> operands{place(0, panel), place(1, 0)};
      std::sort(operands.begin(), operands.end());
      CHECK(after(2) == operands);
      CHECK(after(3) == std::vector<int>{place(2, panel)});
    }
    // While a panel is computed the next one is on its way.
    CHECK(place(0, 1) < place(2, 1));
    CHECK(place(2, 0) < place(0, panels - 1) + panels);
  }
}

TEST_CASE("what all hold is there once all panels are") {
  const Declaration program{.name = "all",
                            .slices = {{.name = "rows", .items = 12}},
                            .arrays = {everywhere(sliced("x", {12, 1})), sliced("y", {12, 1})},
                            .tasks = {about(TaskKind::allgatherv, 0), compute({0}, {1})}};
  const Arrangement arranged = arrangement({divide(program.slices[0], std::vector<std::int64_t>{1, 2}, 3)}, true);
  const std::vector<Action> actions = actions_of(program, arranged, 0, 2);
  REQUIRE(actions.size() == 6);
  for (const Action& action : actions) CHECK(action.after.size() == (action.task == 0 ? 0 : 3));
}

TEST_CASE("a task of the program's own waits for slices and for the whole") {
  Declaration program = product(12, 3, 3);
  program.tasks[3] = {.name = "look", .kind = TaskKind::custom, .reads = {2}};
  const Arrangement arranged = arrangement({divide(program.slices[0], std::vector<std::int64_t>{1, 2}, 2)}, true);
  const std::vector<Action> actions = actions_of(program, arranged, 0, 4);
  CHECK(actions.back().task == 3);
  CHECK(actions.back().after.size() == 2);
}

TEST_CASE("portions of an action are each item once, those by the halo at the border") {
  std::mt19937 random(3);
  for (const std::int64_t rows : {0, 1, 2, 5, 40}) {
    for (const std::int64_t halo : {1, 2, 3, 100}) {
      for (const int ranks : {1, 2, 3, 8}) {
        const Declaration program = plate(rows, 4, halo, 5);
        const Division division = random_division(rows, 1, ranks, random);
        const Arrangement arranged = arrangement({division}, true);
        for (Rank rank = 0; rank < ranks; ++rank) {
          const Slice mine = division.slice(0, rank);
          const auto of = [&](Portion portion) { return slices_of(program, arranged, {1, 0, portion}, rank); };
          REQUIRE(of(Portion::all) == std::vector<Slice>{mine});
          std::vector<int> times(static_cast<std::size_t>(mine.count), 0);
          for (const Portion portion : {Portion::inner, Portion::border}) {
            for (const Slice& slice : of(portion)) {
              REQUIRE(slice.count >= 0);
              REQUIRE(slice.first - mine.first == slice.local - mine.local);
              for (std::int64_t i = 0; i < slice.count; ++i) {
                const std::int64_t at = slice.local - mine.local + i;
                ++times.at(static_cast<std::size_t>(at));
                const bool inside = at >= halo && at < mine.count - halo;
                REQUIRE(inside == (portion == Portion::inner));
              }
            }
          }
          REQUIRE(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
        }
      }
    }
  }
}

TEST_CASE("slices in a loop, with a halo, in a farm or moved as part of a whole are not cut") {
  CHECK(can_be_panels(product(10, 3, 3), 0));
  CHECK_FALSE(can_be_panels(plate(10, 3, 1, 5), 0));
  Declaration program = product(10, 3, 3);
  program.tasks[2].loop = 0;
  CHECK_FALSE(can_be_panels(program, 0));
  program = product(10, 3, 3);
  program.tasks[2] = {.name = "farm", .kind = TaskKind::farm, .array = 2, .slices = 0};
  CHECK_FALSE(can_be_panels(program, 0));
  Declaration moving{.name = "moving",
                     .slices = {{.name = "rows", .items = 4}, {.name = "columns", .items = 4}},
                     .arrays = {sliced("a", {4, 4}), at_root(sliced("b", {4, 4}, 1), 1)},
                     .tasks = {{.name = "move", .kind = TaskKind::move, .array = 0, .to = 1, .transposed = true}}};
  CHECK(can_be_panels(moving, 0));
  CHECK_FALSE(can_be_panels(moving, 1));
}
