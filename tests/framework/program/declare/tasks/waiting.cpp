// Tasks that wait for each other because the one writes where the other reads.
#include <catch2/catch.hpp>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

bool wait(const Declaration& program) {
  return conflict(touches(program, program.tasks[0]), touches(program, program.tasks[1]));
}

DeclaredTask computes_from(std::vector<int> reads, std::vector<int> wholes) {
  return {.name = "compute",
          .kind = TaskKind::compute,
          .slices = 0,
          .reads = std::move(reads),
          .wholes = std::move(wholes)};
}

}  // namespace

TEST_CASE("a farm waits for who reads the items that its chunks replace") {
  const Declaration program{
      .name = "farmed",
      .slices = {{.name = "rows", .items = 4}},
      .arrays = {{.name = "a", .shape = {4, 1}, .slices = 0, .root = 0}},
      .tasks = {computes_from({0}, {}),
                {.name = "farm", .kind = TaskKind::farm, .array = 0, .slices = 0, .writes = {0}}}};
  CHECK(wait(program));
}

TEST_CASE("a move waits for who reads the whole of which it writes items") {
  const Declaration program{
      .name = "moved",
      .slices = {{.name = "rows", .items = 4}},
      .arrays = {{.name = "a", .shape = {4, 1}, .slices = 0, .everywhere = true},
                 {.name = "b", .shape = {4, 1}, .slices = 0}},
      .tasks = {computes_from({}, {0}), {.name = "move", .kind = TaskKind::move, .array = 1, .to = 0}}};
  CHECK(wait(program));
}

TEST_CASE("who sends items on waits for the broadcast of them") {
  const Declaration program{
      .name = "told",
      .slices = {{.name = "rows", .items = 4}},
      .arrays = {{.name = "a", .shape = {4, 1}, .slices = 0, .root = 0, .everywhere = true, .halo = 1}},
      .tasks = {{.name = "bcast", .kind = TaskKind::bcast, .array = 0},
                {.name = "halo", .kind = TaskKind::halo, .array = 0}}};
  CHECK(wait(program));
}

}  // namespace tombolo
