#include <numeric>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

TEST_CASE("a program's own task has the collectives of the members") {
  Session session = make_session();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {0, 3}) {
      Program program(session, "own", options(session, kind, panels));
      const Slices rows = program.slices("rows", 40);
      const auto x = program.array<std::int64_t>("x", {40, 1}, Held::by(rows).and_at(0));
      const auto sum = program.array<std::int64_t>("sum", {1, 1}, Held::everywhere());
      program.scatterv(x);
      program.compute("square", {.over = rows, .kernel = "any", .operations = 1, .reads = {x}, .writes = {x}},
                      [=](const Slice& slice) {
                        for (std::int64_t i = 0; i < slice.count; ++i) x.at(slice)[i] *= x.at(slice)[i];
                      });
      int members = 0;
      program.task("sum", {.kernel = "any", .operations = 40, .bytes = 8, .reads = {x}, .writes = {sum}},
                   [&](Collectives& collectives) {
                     std::int64_t mine = 0;
                     each_of_mine(program, rows, [&](const Slice& slice) {
                       mine = std::accumulate(x.at(slice), x.at(slice) + slice.count, mine);
                     });
                     collectives.allreduce(&mine, sum.data(), 1, MPI_INT64_T, MPI_SUM);
                     members = collectives.ranks();
                   });
      program.prepare();
      if (session.rank() == 0) std::iota(x.data(), x.data() + 40, 1);
      const RunReport report = program.run();
      CHECK(agreed(sum[0] == 40 * 41 * 81 / 6));
      CHECK(agreed(members == session.ranks()));
      CHECK(agreed(report.tasks.at(2).name == "sum" && report.tasks.at(2).what == "own"));
    }
  }
}
