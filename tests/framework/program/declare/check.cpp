#include <cmath>
#include <functional>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/units.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

Declaration changed(Declaration program, const std::function<void(Declaration&)>& change) {
  change(program);
  return program;
}

std::string product_error(const std::function<void(Declaration&)>& change) {
  return error_of(changed(product(20, 10, 5), change));
}

std::string plate_error(const std::function<void(Declaration&)>& change) {
  return error_of(changed(plate(20, 10, 1, 5), change));
}

DeclaredTask exchange(TaskKind kind, int from, int to, bool transposed = false) {
  return {.name = "exchange", .kind = kind, .array = from, .to = to, .transposed = transposed};
}

}  // namespace

TEST_CASE("programs that make sense pass") {
  for (const std::int64_t n : {0, 1, 7, 1000}) {
    CHECK(error_of(product(n, 3, n)) == "nothing");
    CHECK(error_of(product(3, n, 0)) == "nothing");
    CHECK(error_of(plate(n, 4, 2, n)) == "nothing");
  }
  CHECK(error_of({.name = "nothing at all"}) == "nothing");
}

TEST_CASE("slices and arrays that cannot be are refused by name") {
  CHECK_THAT(product_error([](auto& p) { p.slices[0].items = -1; }), Contains("rows are -1 x 1 x 1 items"));
  CHECK_THAT(product_error([](auto& p) { p.slices[0].grain = 0; }), Contains("rows have a grain of 0"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[2].parts = 0; }), Contains("is in 0 parts; give 1 part or more"));
  CHECK_THAT(product_error([](auto& p) { p.slices[0].weights = {1, 2}; }), Contains("20 items and have 2 weights"));
  CHECK_THAT(product_error([](auto& p) { p.slices[0].weights.assign(20, -1); }), Contains("below 0"));
  CHECK_THAT(product_error([](auto& p) { p.slices[0].given = {21, -1}; }), Contains("below 0"));
  CHECK_THAT(product_error([](auto& p) { p.arrays[1].shape.columns = -2; }), Contains("B is 5 x -2"));
  CHECK_THAT(product_error([](auto& p) { p.arrays[0].halo = -1; }), Contains("halo of -1"));
  CHECK_THAT(product_error([](auto& p) { p.arrays[0].shape.rows = 21; }), Contains("A has 21 rows and rows are 20"));
  CHECK_THAT(product_error([](auto& p) { p.arrays[0].slices = 1; }), Contains("A is about domain 1"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[2].slices = 3; }), Contains("compute is about domain 3"));
  CHECK_THAT(product_error([](auto& p) { p.arrays[1].everywhere = false, p.arrays[1].root.reset(); }),
             Contains("B is held by nobody"));
  const auto large = [](auto& p) { p.arrays[1].shape = {std::int64_t{1} << 40, std::int64_t{1} << 40}; };
  CHECK_THAT(product_error(large), Contains("beyond 2^60 bytes"));
}

TEST_CASE("a task about an array that is held in another way is refused") {
  CHECK_THAT(product_error([](auto& p) { p.tasks[0].array = 1; }),
             Contains("scatterv") && Contains("in items of a domain and at"));
  CHECK_THAT(product_error([](auto& p) { p.arrays[2].root.reset(); }), Contains("gatherv") && Contains("at a root"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[1].array = 0; }), Contains("everywhere, from a root"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[3].kind = TaskKind::allgatherv; }),
             Contains("items of a domain and everywhere"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[3].kind = TaskKind::allreduce; }),
             Contains("needs C to be a partial value"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[3].kind = TaskKind::halo; }),
             Contains("in items of a domain with a halo"));
  CHECK_THAT(product_error([](auto& p) {
               p.tasks[2] = compute({}, {1});
               p.tasks[2].kind = TaskKind::farm;
               p.tasks[2].array = 1;
             }),
             Contains("in items of the domain and at a root"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[2].writes = {1}, p.tasks[2].wholes = {}; }),
             Contains("accesses items of B, which is over no domain"));
  CHECK_THAT(product_error([](auto& p) {
               p.slices.push_back({.name = "others", .items = 20});
               p.arrays[2].slices = 1;
             }),
             Contains("which is over another domain"));
}

TEST_CASE("arrays that are moved or swapped are alike") {
  const auto with = [](DeclaredArray one, DeclaredArray other, const DeclaredTask& task) {
    return error_of({.name = "pair",
                     .slices = {{.name = "rows", .items = 6}, {.name = "columns", .items = 4}},
                     .arrays = {std::move(one), std::move(other)},
                     .tasks = {task}});
  };
  const auto move = exchange(TaskKind::move, 0, 1);
  const auto swap = exchange(TaskKind::swap, 0, 1);
  CHECK(with(sliced("a", {6, 4}), at_root(whole("b", {6, 4})), move) == "nothing");
  CHECK(with(sliced("a", {6, 4}), sliced("b", {4, 6}, 1), exchange(TaskKind::move, 0, 1, true)) == "nothing");
  CHECK(with(sliced("a", {6, 4}), sliced("b", {6, 4}), swap) == "nothing");
  CHECK(with(with_halo(sliced("a", {6, 4}), 1), with_halo(sliced("b", {6, 4}), 1), swap) == "nothing");
  CHECK(with(at_root(sliced("a", {6, 4})), at_root(sliced("b", {6, 4})), swap) == "nothing");
  CHECK_THAT(with(sliced("a", {6, 4}), sliced("b", {4, 6}, 1), move), Contains("6 x 4 of 8 B") && Contains("4 x 6"));
  CHECK_THAT(with(sliced("a", {6, 4}), sliced("b", {6, 4}), exchange(TaskKind::move, 0, 0)),
             Contains("must be of one"));
  CHECK_THAT(with(sliced("a", {6, 4}), at_root(sliced("b", {6, 4})), swap), Contains("declared alike"));
  CHECK_THAT(with(sliced("a", {6, 4}), with_halo(sliced("b", {6, 4}), 1), swap), Contains("declared alike"));
  DeclaredArray narrow = sliced("b", {6, 4});
  narrow.element = 4;
  CHECK_THAT(with(sliced("a", {6, 4}), narrow, move), Contains("of 4 B"));
}

TEST_CASE("work has a kernel, and no negative operations") {
  CHECK_THAT(product_error([](auto& p) { p.tasks[2].kernel.clear(); }), Contains("computes by no kernel"));
  CHECK_THAT(product_error([](auto& p) { p.tasks[2].operations = -1; }), Contains("does not say how many operations"));
  CHECK(product_error([](auto& p) { p.tasks[2].operations = 0; }) == "nothing");
  for (const double none : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    CHECK_THAT(product_error([&](auto& p) { p.tasks[2].operations = none; }), Contains("operations; say how many"));
  }
}

TEST_CASE("what is written twice and not read in between is refused") {
  const auto again = [](auto& p) { p.tasks.insert(p.tasks.begin() + 3, p.tasks[2]); };
  CHECK_THAT(product_error(again), Contains("C is written by 'compute' and again by 'compute'"));
  CHECK_THAT(product_error([](auto& p) { p.tasks.insert(p.tasks.begin(), p.tasks[0]); }), Contains("A is written by"));
  // An update reads what it writes.
  CHECK(product_error([](auto& p) { p.tasks.insert(p.tasks.begin() + 3, update({2})); }) == "nothing");
  // An allgatherv completes what slices were written of, once.
  const Declaration all{.name = "all",
                        .slices = {{.name = "rows", .items = 20}},
                        .arrays = {everywhere(sliced("x", {20, 1}))},
                        .tasks = {compute({}, {0}), about(TaskKind::allgatherv, 0)}};
  CHECK(error_of(all) == "nothing");
  CHECK_THAT(error_of(changed(all, [](auto& p) { p.tasks.push_back(p.tasks[1]); })),
             Contains("x is written by 'allgatherv' and again"));
  CHECK_THAT(error_of(changed(all, [](auto& p) { p.tasks.push_back(p.tasks[0]); })),
             Contains("and again by 'compute'"));
  // Another computation after the first result has gone to the root.
  const auto next = [](auto& p) {
    const std::vector<DeclaredTask> more{p.tasks[2], p.tasks[3]};
    p.tasks.insert(p.tasks.end(), more.begin(), more.begin() + 1);
  };
  CHECK(product_error(next) == "nothing");
}

TEST_CASE("items that nothing has filled, and halos that nothing has exchanged, are refused") {
  CHECK_THAT(product_error([](auto& p) { p.tasks.erase(p.tasks.begin()); }),
             Contains("'compute' reads items of A, whose newest values are at its root; scatterv A before"));
  CHECK_THAT(product_error([](auto& p) { p.tasks.erase(p.tasks.begin() + 1); }), Contains("bcast B before"));
  CHECK_THAT(product_error([](auto& p) { p.tasks.erase(p.tasks.begin() + 2); }),
             Contains("'gatherv' reads items of C"));
  CHECK_THAT(plate_error([](auto& p) { p.tasks.erase(p.tasks.begin()), --p.loops[0].end; }),
             Contains("reads the halo of u, which nothing has exchanged"));
  // The first pass comes before the halo is exchanged, whatever the pass before has done in later ones.
  CHECK_THAT(plate_error([](auto& p) { std::rotate(p.tasks.begin(), p.tasks.begin() + 1, p.tasks.end()); }),
             Contains("reads the halo of u"));
}

TEST_CASE("what a task writes, it accesses once") {
  const auto with = [](const auto& change) {
    Declaration program = plate(20, 10, 1, 5);
    program.arrays.push_back(everywhere(sliced("w", {20, 10})));
    change(program.tasks[1]);
    return error_of(program);
  };
  CHECK_THAT(with([](auto& t) { t.updates = {0}; }), Contains("updates u and accesses it in another way too"));
  CHECK_THAT(with([](auto& t) { t.reads = {1}; }), Contains("writes v and accesses it in another way too"));
  CHECK_THAT(with([](auto& t) { t.wholes = {3}, t.updates = {3}; }), Contains("updates w"));
  CHECK_THAT(with([](auto& t) { t.writes = {1, 1}; }), Contains("writes v"));
  CHECK_THAT(with([](auto& t) { t.wholes = {2}; }), Contains("combines change"));
  CHECK_THAT(with([](auto& t) { t.combines = {3}; }), Contains("needs w to be partial"));
  CHECK_THAT(with([](auto& t) { t.reads = {2}; }), Contains("directly"));
  CHECK_THAT(with([](auto& t) { t.wholes = {0}; }), Contains("everywhere, to be read as a whole"));
  CHECK_THAT(with([](auto& t) { t.around = {3}; }), Contains("with a halo"));
  CHECK(with([](auto& t) { t.reads = {0}, t.wholes = {3}; }) == "nothing");
}

TEST_CASE("halos change places with their arrays") {
  Declaration program = plate(20, 10, 1, 5);
  program.loops.clear();
  for (DeclaredTask& task : program.tasks) task.loop = DeclaredTask::none;
  const auto reads = [&](int around) {
    Declaration more = program;
    more.arrays.push_back(sliced("w", {20, 10}));
    more.tasks.push_back(compute({}, {3}));
    more.tasks.back().around = {around};
    return error_of(more);
  };
  CHECK(reads(1) == "nothing");
  CHECK_THAT(reads(0), Contains("reads the halo of u"));
}

TEST_CASE("fingerprints are those of one declaration") {
  const std::vector<std::function<void(Declaration&)>> changes{
      [](auto& p) { p.name += "x"; },
      [](auto& p) { ++p.slices[0].items; },
      [](auto& p) {
        p.slices[0].weights = {1, 2};
      },
      [](auto& p) { p.slices[0].grain = 2; },
      [](auto& p) { p.slices[0].given = {20}; },
      [](auto& p) { p.arrays[0].name = "a"; },
      [](auto& p) { ++p.arrays[0].shape.rows; },
      [](auto& p) { p.arrays[1].element = 4; },
      [](auto& p) { p.arrays[1].root = 1; },
      [](auto& p) { p.arrays[1].root.reset(); },
      [](auto& p) { p.arrays[1].everywhere = false; },
      [](auto& p) { p.arrays[1].halo = 1; },
      [](auto& p) { p.arrays[0].slices = DeclaredArray::whole; },
      [](auto& p) { std::swap(p.tasks[0], p.tasks[1]); },
      [](auto& p) { p.tasks.pop_back(); },
      [](auto& p) { p.tasks[2].kernel = "other"; },
      [](auto& p) { p.tasks[2].operations += 1e-3; },
      [](auto& p) { p.tasks[2].reads = {}; },
      [](auto& p) { p.tasks[2].updates = {0}; },
      [](auto& p) { p.tasks[2].wholes = {}; },
      [](auto& p) { p.tasks[2].combines = {0}; },
      [](auto& p) { p.slices[0].adapts = true; },
      [](auto& p) {
        p.slices[0].inner = {2, 1};
      },
      [](auto& p) { p.arrays[1].reduction = "sum"; },
      [](auto& p) { p.arrays[1].reduction = "max"; },
      [](auto& p) { p.arrays[1].type = "float32"; },
      [](auto& p) { p.tasks[2].around = {0}; },
      [](auto& p) { p.tasks[2].writes = {}; },
      [](auto& p) { p.tasks[0].commutative = false; },
      [](auto& p) { p.tasks[0].transposed = true; },
      [](auto& p) { p.tasks[0].bytes = 1; },
      [](auto& p) {
        p.loops.push_back({"loop", 0, 4, 3});
      },
      [](auto& p) {
        p.loops.push_back({"loop", 0, 4, 4});
      },
      [](auto& p) {
        p.loops.push_back({"loop", 1, 4, 4});
      }};
  const auto text = [](const Declaration& program) {
    std::string parts;
    for (const Fingerprint& part : fingerprints(program)) parts += fmt::format("{:x} ", part.hash);
    return parts;
  };
  std::vector<std::string> all{text(product(20, 10, 5))};
  CHECK(text(product(20, 10, 5)) == all.front());
  for (const auto& change : changes) all.push_back(text(changed(product(20, 10, 5), change)));
  std::sort(all.begin(), all.end());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}
