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
