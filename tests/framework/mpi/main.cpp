#include <catch2/catch.hpp>

#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

char* no_arguments[] = {nullptr};

}  // namespace

TEST_CASE("a program that succeeds has status 0, and a session of all ranks") {
  int ranks = 0;
  const int status = run_main(0, no_arguments, "test", [&](Session& session) { ranks = session.ranks(); });
  int all = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  CHECK(agreed(status == 0 && ranks == all));
}

// What a rank knows alone ends the run: tests/apps/main_test.py.
TEST_CASE("what all ranks know has gone wrong is status 1 on all") {
  const int status = run_main(0, no_arguments, "test", [](Session& session) {
    agree(session.communicator(), [&] {
      if (session.rank() == session.ranks() - 1) throw Error("this line is meant to be here", "read on");
    });
  });
  CHECK(agreed(status == 1));
}
