#include <catch2/catch.hpp>

#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

#include "framework/program/programs.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

Touches of(const Declaration& program, int task) {
  return touches(program, program.tasks[static_cast<std::size_t>(task)]);
}

using All = std::vector<Touch>;

Request asked(const Declaration& program, const Arrangement& arranged, const Action& action, Rank member = 0) {
  const auto request = request_of(program, arranged, action, member);
  REQUIRE(request);
  return *request;
}

}  // namespace

TEST_CASE("tasks of a product touch what they say") {
  const Declaration program = product(20, 10, 5);
  CHECK(of(program, 0).reads == All{{0, Aspect::whole}});
  CHECK(of(program, 0).writes == All{{0, Aspect::slices}});
  CHECK(of(program, 1).reads == All{{1, Aspect::whole}});
  CHECK(of(program, 1).writes == All{{1, Aspect::whole}});
  CHECK(of(program, 2).reads == All{{0, Aspect::slices}, {1, Aspect::whole}});
  CHECK(of(program, 2).writes == All{{2, Aspect::slices}});
  CHECK(of(program, 3).reads == All{{2, Aspect::slices}});
  CHECK(of(program, 3).writes == All{{2, Aspect::whole}});
}

TEST_CASE("the halo is apart from the slices, and a swap touches all that there is") {
  const Declaration program = plate(20, 10, 1, 5);
  CHECK(of(program, 0).writes == All{{0, Aspect::halo}});
  CHECK(of(program, 1).reads == All{{2, Aspect::whole}, {0, Aspect::slices}, {0, Aspect::halo}});
  CHECK(of(program, 1).writes == All{{1, Aspect::slices}, {2, Aspect::whole}});
  const Touches swap = of(program, 3);
  CHECK(swap.reads == swap.writes);
  CHECK(swap.writes == All{{0, Aspect::slices}, {0, Aspect::halo}, {1, Aspect::slices}, {1, Aspect::halo}});
}

TEST_CASE("slices of what every rank holds are part of the whole") {
  const Declaration program{.name = "power",
                            .slices = {{.name = "rows", .items = 10}},
                            .arrays = {everywhere(sliced("x", {10, 1}))},
                            .tasks = {update({0}), about(TaskKind::allgatherv, 0)}};
  CHECK(of(program, 0).reads == All{{0, Aspect::slices}, {0, Aspect::whole}});
  CHECK(of(program, 0).writes == of(program, 0).reads);
  CHECK(of(program, 1).reads == All{{0, Aspect::slices}});
  CHECK(of(program, 1).writes == All{{0, Aspect::whole}});
}

TEST_CASE("who writes what the other touches is waited for, either way") {
  const Declaration program = product(20, 10, 5);
  const auto meet = [&](int one, int other) {
    const bool found = conflict(of(program, one), of(program, other));
    CHECK(conflict(of(program, other), of(program, one)) == found);
    return found;
  };
  CHECK_FALSE(meet(0, 1));  // A and B travel at once
  CHECK(meet(0, 2));
  CHECK(meet(1, 2));
  CHECK(meet(2, 3));
  CHECK_FALSE(meet(0, 3));
  CHECK_FALSE(conflict({{{0, Aspect::whole}}, {}}, {{{0, Aspect::whole}}, {}}));
  CHECK(conflict({{}, {{0, Aspect::whole}}}, {{}, {{0, Aspect::whole}}}));
}

TEST_CASE("a product asks for its panels, in elements, at the root's place among the members") {
  const Declaration program = product(10, 3, 4, 5);
  const Arrangement some{{2, 5, 6}, {Division({{2, 1, 3}, {0, 4, 0}})}, true, {}};
  const Request scatterv = asked(program, some, {0, 1});
  CHECK(scatterv == Request::scatterv(1, Blocks({0, 16, 0}), 8).with_in_place(true));
  CHECK(asked(program, some, {1}) == Request::bcast(3, 1, 12, 8));
  CHECK(asked(program, some, {3, 0}) == Request::gatherv(1, Blocks({6, 3, 9}), 8).with_in_place(true));
  CHECK_FALSE(request_of(program, some, {2}, 0));
}

TEST_CASE("what all ranks contribute to, and what passes between neighbours") {
  const Declaration program = plate(6, 5, 2, 3);
  const Arrangement all = arrangement({Division({{3, 0, 3}})});
  CHECK(asked(program, all, {2}) == Request::allreduce(3, 1, 8).with_in_place(true));
  for (Rank rank = 0; rank < 3; ++rank) {
    const Request halo = asked(program, all, {0}, rank);
    CHECK(halo.exchange == AlltoallCounts::matrix({{0, 0, 10}, {0, 0, 0}, {10, 0, 0}}));
    CHECK(halo.knowledge == Knowledge::everywhere);
  }
  CHECK_FALSE(request_of(program, all, {3}, 0));
}

TEST_CASE("of many ranks each knows its own halo only, and says so") {
  const Declaration program = plate(300, 5, 1, 3);
  const Arrangement all = arrangement({divide(program.slices[0], std::vector<std::int64_t>(300, 1))});
  const Request mine = asked(program, all, {0}, 7);
  CHECK(mine.knowledge == Knowledge::as_in_mpi);
  CHECK(mine.exchange.sends(7).count(6) == 5);
  CHECK(mine.exchange.sends(7).count(8) == 5);
  CHECK(mine.exchange.sends(7).total() == 10);
}

TEST_CASE("arrays in panels are distributed as their memory is") {
  Declaration program = product(5, 2, 3, 1);
  const Arrangement all = arrangement({Division({{2, 1}, {1, 1}})});
  const Distribution rows = distribution_of(program, all, 0);
  CHECK(rows.shape() == MatrixShape{5, 3});
  CHECK(rows.elements(0) == 9);
  CHECK(rows.elements(1) == 6);
  CHECK(distribution_of(program, arrangement({Division({{3, 2}})}), 0) ==
        Distribution::rows(std::vector<std::int64_t>{3, 2}, 3));
  CHECK(distribution_of(program, all, 1).replicated());
  program.arrays[1].everywhere = false;
  CHECK(distribution_of(program, all, 1) == Distribution::at(1, {3, 2}, 2));
}

TEST_CASE("a move is an exchange, or what rooted operations do") {
  Declaration program{.name = "moves",
                      .slices = {{.name = "rows", .items = 6}, {.name = "columns", .items = 4}},
                      .arrays = {sliced("a", {6, 4}), sliced("b", {4, 6}, 1), at_root(whole("c", {6, 4}), 1),
                                 everywhere(whole("d", {6, 4}))}};
  const auto move = [](int from, int to, bool transposed) {
    return DeclaredTask{.name = "move", .kind = TaskKind::move, .array = from, .to = to, .transposed = transposed};
  };
  program.tasks = {move(0, 1, true), move(0, 2, false), move(2, 0, false), move(0, 3, false), move(2, 3, false)};
  const Arrangement all = arrangement({Division({{4, 2}}), Division({{1, 3}})});
  const auto operation = [&](int task) { return asked(program, all, {task}).operation; };
  CHECK(operation(0) == Operation::alltoallv);
  CHECK(operation(1) == Operation::gatherv);
  CHECK(operation(2) == Operation::scatterv);
  CHECK(operation(3) == Operation::allgatherv);
  CHECK(operation(4) == Operation::bcast);
  CHECK(asked(program, all, {1}).root == 1);
  const Arrangement alone =
      arrangement({Division({std::vector<std::int64_t>{6}}), Division({std::vector<std::int64_t>{4}})});
  program.arrays[2].root = 0;
  for (int task = 0; task < 5; ++task) CHECK_FALSE(request_of(program, alone, {task}, 0));
}
