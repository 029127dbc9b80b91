#include <catch2/catch.hpp>

#include <tombolo/units.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Matchers::Contains;

TEST_CASE("what a move has spent cannot be read before it is written again") {
  Declaration program = turned();
  CHECK(error_of(program) == "nothing");
  program.tasks.push_back(update({1}, 1));
  CHECK(error_of(program) == "nothing");
  program.tasks.push_back(update({0}));
  CHECK_THAT(error_of(program),
             Contains("'compute' reads items of A, whose newest values are nowhere, as a move has spent it"));
  program.tasks.back() = compute({}, {0});
  program.tasks.push_back(update({0}));
  CHECK(error_of(program) == "nothing");
  program = turned();
  add_spending_move(program, 1, 0);
  program.tasks.push_back(update({0}));
  CHECK(error_of(program) == "nothing");
  program.tasks.push_back(update({1}, 1));
  CHECK_THAT(error_of(program), Contains("reads items of B"));
}

TEST_CASE("nor by the next pass of a loop") {
  Declaration program = turned();
  program.loops = {{.name = "loop", .first = 0, .end = 3, .most = 2}};
  for (DeclaredTask& task : program.tasks) task.loop = 0;
  CHECK_THAT(error_of(program), Contains("'pack' reads items of A"));
  add_spending_move(program, 1, 0);
  program.loops[0].end = 6;
  for (DeclaredTask& task : program.tasks) task.loop = 0;
  CHECK(error_of(program) == "nothing");
}

TEST_CASE("a swap hands on that an array is spent") {
  Declaration program = turned();
  program.arrays.push_back(sliced("C", {6, 4}));
  program.tasks.push_back({.name = "swap", .kind = TaskKind::swap, .array = 0, .to = 2});
  program.tasks.push_back(update({0}));
  CHECK(error_of(program) == "nothing");
  program.tasks.push_back(update({2}));
  CHECK_THAT(error_of(program), Contains("reads items of C"));
}

TEST_CASE("only what is held in one way is spent") {
  for (const int array : {0, 1}) {
    const auto changed = [array](const auto& change) {
      Declaration program = turned();
      change(program.arrays[static_cast<std::size_t>(array)]);
      return error_of(program);
    };
    CHECK_THAT(changed([](DeclaredArray& a) { a.halo = 1; }), Contains("held in one way, without a halo"));
    CHECK_THAT(changed([](DeclaredArray& a) { a.root = 0; }), Contains("held in one way"));
    CHECK_THAT(changed([](DeclaredArray& a) { a.everywhere = true; }), Contains("held in one way"));
  }
}

TEST_CASE("an array that is held as a distribution says is of its shape and held in no other way") {
  const auto held = [](const auto& change) {
    Declaration program{.name = "held", .arrays = {whole("A", {6, 4})}};
    program.arrays[0].placed = Distribution::rows(std::vector<std::int64_t>{4, 2}, 4);
    change(program.arrays[0]);
    return program;
  };
  CHECK(error_of(held([](DeclaredArray&) {})) == "nothing");
  CHECK_THAT(error_of(held([](DeclaredArray& a) { a.root = 0; })), Contains("and in another way too"));
  CHECK_THAT(error_of(held([](DeclaredArray& a) { a.shape = {4, 6}; })), Contains("held as a matrix of 6 x 4"));
  const auto other = [](DeclaredArray& a) { a.placed = Distribution::rows(std::vector<std::int64_t>{2, 4}, 4); };
  const auto hash = [&](const auto& change) { return fingerprints(held(change)).at(1).hash; };
  CHECK(hash([](DeclaredArray&) {}) != hash(other));
  CHECK(hash(other) == hash(other));
}
