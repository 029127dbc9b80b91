#include <catch2/catch.hpp>

#include <tombolo/framework/program/declare/saved_state.hpp>
#include <tombolo/units.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Matchers::Contains;

namespace {

// A loop that updates u, writes v before it reads it, reads c, and combines and reduces s.
Declaration looping() {
  Declaration program{.name = "looping",
                      .slices = {{.name = "rows", .items = 6}},
                      .arrays = {sliced("u", {6, 2}), sliced("v", {6, 2}), sliced("c", {6, 2}), partial("s", {1, 1})},
                      .tasks = {compute({0, 2}, {1}), update({0}), about(TaskKind::allreduce, 3)},
                      .loops = {{.name = "loop", .first = 0, .end = 3, .most = 5}}};
  program.tasks[1].combines = {3};
  program.tasks[1].reads = {1};
  for (DeclaredArray& array : program.arrays) array.type = "float64";
  for (DeclaredTask& task : program.tasks) task.loop = 0;
  return program;
}

SavedState state_of(const Declaration& program) {
  SavedState state{.program = program.name, .number = 7, .run = 2, .ranks = 3, .made = "today"};
  state.point = {0, {4}};
  for (const DeclaredArray& array : program.arrays) {
    state.begins.push_back(NewestValues::filled(array));
    state.arrays.push_back({.name = array.name, .type = array.type, .shape = array.shape});
  }
  state.arrays[0].as = SavedAs::file;
  state.arrays[0].file = "0-u.npy";
  state.arrays[0].hash = 0xfedcba9876543210;
  state.arrays[2].as = SavedAs::constant;
  state.arrays[2].hash = 1;
  state.arrays[3].as = SavedAs::bits;
  state.arrays[3].bits = "00ff";
  state.parts = saved_parts(program);
  return state;
}

std::string words_of(const Declaration& program, const SavedState& state) {
  try {
    check_suits(state, program, "saved/0");
  } catch (const Error& error) {
    return error.what();
  }
  return "suits";
}

}  // namespace

TEST_CASE("a checkpoint is read as it was written, and any damage is found") {
  const SavedState state = state_of(looping());
  const std::string text = to_text(state);
  const SavedState read = saved_state_from(text, "state.json");
  CHECK(read.program == state.program);
  CHECK((read.number == 7 && read.run == 2 && read.ranks == 3 && read.made == "today"));
  CHECK(read.point == state.point);
  CHECK(read.begins == state.begins);
  CHECK(read.arrays == state.arrays);
  CHECK(words_of(looping(), read) == "suits");
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    if (text[i] == ' ' || text[i] == '\n' || damaged[i] == ' ') continue;  // space between values may be anything
    CAPTURE(i, damaged);
    CHECK_THROWS_AS(saved_state_from(damaged, "state.json"), Error);
  }
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    CHECK_THROWS_AS(saved_state_from(text.substr(0, size), "state.json"), Error);
  }
}

TEST_CASE("a checkpoint suits the program that made it, on any ranks and for more passes") {
  Declaration program = looping();
  const SavedState state = state_of(program);
  program.loops[0].most = 100;
  program.slices[0].given = {1, 5};
  program.tasks[0].operations = 9;
  program.arrays[0].halo = 1;
  CHECK(words_of(program, state) == "suits");

  program = looping();
  program.arrays[1].shape = {6, 3};
  CHECK_THAT(words_of(program, state), Contains("it holds v, 6 x 2 float64, and program looping declares v, 6 x 3"));
  program = looping();
  program.arrays[0].type = "float32";
  CHECK_THAT(words_of(program, state), Contains("declares u, 6 x 2 float32"));
  program = looping();
  program.arrays.push_back(sliced("w", {6, 2}));
  CHECK_THAT(words_of(program, state), Contains("it holds 4 arrays, and program looping declares 5"));
  program = looping();
  program.tasks[1].name = "other";
  CHECK_THAT(words_of(program, state), Contains("has changed since, beginning with task other"));
  program = looping();
  program.name = "another";
  CHECK_THAT(words_of(program, state), Contains("a checkpoint of program looping, and this is another"));
  SavedState elsewhere = state;
  elsewhere.point.section = 1;
  CHECK_THAT(words_of(looping(), elsewhere), Contains("has no such loop"));
}

TEST_CASE("only values that the next pass needs are saved") {
  const Declaration program = looping();
  const NewestValues begins(program);
  const SavedPoint point{0, {2}};
  CHECK(saved_as(program, begins, point, 0) == SavedAs::file);
  CHECK(saved_as(program, begins, point, 1) == SavedAs::nothing);
  CHECK(saved_as(program, begins, point, 2) == SavedAs::constant);
  CHECK(saved_as(program, begins, point, 3) == SavedAs::bits);
  CHECK(describe(program, point) == "after 2 passes of loop");
}

TEST_CASE("parts that nothing has reduced cannot be saved") {
  Declaration program = looping();
  CHECK_NOTHROW(check_can_be_saved(program, NewestValues(program)));
  program.tasks.back().loop = DeclaredTask::none;
  program.loops[0].end = 2;
  CHECK_THROWS_WITH(saved_as(program, NewestValues(program), {0, {1}}, 3),
                    Contains("s holds parts that ranks have not reduced; allreduce s before the end of the pass"));
  CHECK_THROWS_WITH(check_can_be_saved(program, NewestValues(program)), Contains("program looping cannot be saved"));
}

TEST_CASE("names become names of files") {
  CHECK(file_name_of("A p/../\n") == "A_p_____");
  CHECK(file_name_of("") == "_");
  CHECK(file_name_of(std::string(300, 'x')).size() == 100);
}
