#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/program/plan/array_room.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;

TEST_CASE("memories that change places are as large, and a view takes none") {
  Declaration program = turned();
  program.arrays.push_back(sliced("C", {6, 2}));
  const Arrangement uneven{{0, 1}, {Division({{5, 1}}), Division({{1, 3}})}, false, {}};
  const auto rooms = [&](Rank member) {
    std::vector<double> bytes;
    for (const ArrayRoom& room : rooms_of(program, uneven, member)) {
      CHECK(room.shares == ArrayRoom::none);
      bytes.push_back(room.bytes / 8);
    }
    return bytes;
  };
  CHECK(rooms(0) == std::vector<double>{20, 20, 10});
  CHECK(rooms(1) == std::vector<double>{18, 18, 2});

  Declaration view{.name = "view", .arrays = {whole("A", {6, 4}), whole("B", {4, 6})}};
  view.arrays[0].placed = Distribution::rows(std::vector<std::int64_t>{5, 1}, 4);
  view.arrays[1].placed = Distribution::columns(4, std::vector<std::int64_t>{5, 1});
  add_spending_move(view, 0, 1);
  const Arrangement both{{0, 1}, {}, false, {}};
  CHECK(rooms_of(view, both, 0)[0].bytes == 160);
  CHECK(rooms_of(view, both, 0)[1].bytes == 0);
  CHECK(rooms_of(view, both, 0)[1].shares == 0);
  // Where A is written again, B must not lie there.
  view.tasks.push_back({.name = "fill", .kind = TaskKind::custom, .writes = {0}});
  CHECK(rooms_of(view, both, 1)[1].shares == ArrayRoom::none);
  CHECK(rooms_of(view, both, 1)[1].bytes == 32);

  // Nor where A is what another array was.
  view.tasks.pop_back();
  view.arrays.push_back(view.arrays[0]);
  view.tasks.insert(view.tasks.begin(), {.name = "swap", .kind = TaskKind::swap, .array = 0, .to = 2});
  CHECK(rooms_of(view, both, 1)[1].shares == ArrayRoom::none);
}

TEST_CASE("what is swapped with memory that changes places is as large") {
  Declaration program = turned();
  program.arrays.push_back(sliced("C", {6, 4}));
  program.tasks.push_back({.name = "swap", .kind = TaskKind::swap, .array = 0, .to = 2});
  const Arrangement uneven{{0, 1}, {Division({{5, 1}}), Division({{1, 3}})}, false, {}};
  CHECK(rooms_of(program, uneven, 1)[2].bytes == 18 * 8);
}

TEST_CASE("an element that goes to several ranks is packed for each of them") {
  Declaration copied{.name = "copied", .arrays = {whole("A", {6, 4}), whole("B", {6, 4})}};
  const std::vector<Part> all(3, Part{0, 6, 0, 4});
  copied.arrays[0].placed = Distribution::at(0, {6, 4}, 3);
  copied.arrays[1].placed = Distribution::rectangles({6, 4}, all, std::vector<Rank>{0, 1, 2}, 3);
  copied.tasks.push_back({.name = "move", .kind = TaskKind::move, .array = 0, .to = 1});
  const Arrangement three{{0, 1, 2}, {}, false, {}};
  CHECK(largest_buffer(copied, three, 0) == 2 * 6 * 4 * 8);
  CHECK(largest_buffer(copied, three, 1) == 0);
}

TEST_CASE("during a run all buffers of moves are there, and the largest scratch memory") {
  Declaration copied{.name = "copied", .arrays = {whole("A", {6, 4}), whole("B", {6, 4}), whole("C", {4, 6})}};
  const std::vector<Part> all(3, Part{0, 6, 0, 4});
  copied.arrays[0].placed = Distribution::at(0, {6, 4}, 3);
  copied.arrays[1].placed = Distribution::rectangles({6, 4}, all, std::vector<Rank>{0, 1, 2}, 3);
  copied.arrays[2].placed = Distribution::at(1, {4, 6}, 3);
  copied.tasks.push_back({.name = "copy", .kind = TaskKind::move, .array = 0, .to = 1});
  copied.tasks.push_back({.name = "turn", .kind = TaskKind::move, .array = 0, .to = 2, .transposed = true});
  const Arrangement three{{0, 1, 2}, {}, false, {}};
  Planner planner = links(1, 1000);
  CHECK(room_of_run(copied, three, planner, 0).buffers == (2 + 1) * 6 * 4 * 8);
  CHECK(room_of_run(copied, three, planner, 2).buffers == 0);
  CHECK(largest_buffer(copied, three, 0) == 2 * 6 * 4 * 8);

  // Latencies are long: ranks pass on the rows of others, in scratch memory, and those of A are longer.
  const Declaration rows = product(16, 1, 3);
  const Arrangement one_each = arrangement({Division({std::vector<std::int64_t>(16, 1)})});
  Planner slow = links(1000, 1000);
  double most = 0;
  for (Rank member = 0; member < 16; ++member) {
    const RunRoom room = room_of_run(rows, one_each, slow, member);
    CHECK(room.buffers == 0);
    most = std::max(most, room.scratch);
  }
  CHECK(room_of_run(rows, one_each, slow, 0).scratch == 0);
  CHECK(most >= 3 * 3 * 8);
  CHECK(most < 16 * 3 * 8);
}
