// What a task costs beside its body: hidden, as it is a measurement. tests/support/mpirun 1 test_framework_mpi
// "[.overhead]" prints it.
#include <fmt/format.h>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

TEST_CASE("the time of tasks that do nothing", "[.overhead]") {
  constexpr std::int64_t passes = 100'000;
  Session session = make_session();
  for (const int tasks : {1, 5}) {
    for (const bool adapts : {false, true}) {
      Program program(session, "overhead", options(session));
      const Domain rows = program.domain("rows", 1000, {.adapts = adapts});
      const auto a = program.array<double>("a", {1000}, Distributed::over(rows));
      program.repeat("loop", passes, [&] {
        for (int task = 0; task < tasks; ++task) {
          program.compute(fmt::format("task {}", task), rows, any(), updates(a), [](const Range&, auto) {});
        }
      });
      program.prepare();
      const double begin = MPI_Wtime();
      program.run();
      const double us = (MPI_Wtime() - begin) * 1e6 / static_cast<double>(passes);
      if (session.rank() == 0) {
        fmt::print("{} ranks, {} tasks a pass, {}: {:.2f} us a pass, {:.2f} us a task\n", session.ranks(), tasks,
                   adapts ? "adapting" : "fixed shares", us, us / tasks);
      }
    }
  }
}
