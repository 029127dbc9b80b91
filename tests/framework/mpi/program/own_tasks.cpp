#include <numeric>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

TEST_CASE("a program's own task has the collectives of the members") {
  Session session = make_session();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {0, 3}) {
      Program program(session, "own", options(session, kind, panels));
      const Domain rows = program.domain("rows", 40);
      const auto x = program.array<std::int64_t>("x", {40}, Distributed::over(rows).and_at(0));
      const auto sum = program.number<std::int64_t>("sum");
      program.scatterv(x);
      program.compute("square", rows, any(), updates(x), [](const Range&, auto of_x) {
        for (std::int64_t& each : of_x) each *= each;
      });
      int members = 0;
      program.task("sum", {.kernel = "any", .operations = 40, .bytes = 8}, reads(x), writes(sum),
                   [&](Collectives& collectives, auto of_x, std::int64_t& all) {
                     const std::int64_t mine = std::accumulate(of_x.begin(), of_x.end(), std::int64_t{0});
                     collectives.allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM);
                     members = collectives.ranks();
                   });
      program.prepare();
      std::iota(program.local(x).begin(), program.local(x).end(), 1);
      const RunReport report = program.run();
      CHECK(agreed(program.local(sum) == 40 * 41 * 81 / 6));
      CHECK(agreed(members == session.ranks()));
      CHECK(agreed(report.tasks.at(2).name == "sum" && report.tasks.at(2).what == "custom"));
    }
  }
}
