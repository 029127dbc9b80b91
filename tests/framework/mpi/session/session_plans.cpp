// What a session keeps of its collectives for the next one.
#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>

#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::make_session;
using test::SharedFolder;

namespace {

// What the planner of a new session says of a broadcast.
std::string how(const std::string& platform = "") {
  Session session = make_session();
  if (!platform.empty()) session.use_platform(platform);
  session.discover_or_load();
  return session.planner()->describe_plan(Request::bcast(session.ranks(), 0, 100'000, 1));
}

bool is_kept(const std::string& how) {
  MPI_Barrier(MPI_COMM_WORLD);  // rank 0 has written
  return agreed(how.ends_with(", kept by an earlier run"));
}

}  // namespace

TEST_CASE("the second run takes the plan of the first one, and a run that is to learn nothing does not") {
  const SharedFolder folder;
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  const std::string first = how();
  CHECK_FALSE(is_kept(first));
  if (machine::simulated()) {
    CHECK_FALSE(is_kept(how()));
    CHECK(agreed(folder.files() == 0));
    return;
  }
  CHECK(agreed(folder.files() == 2));
  CHECK(agreed(how().starts_with(first)));
  CHECK(is_kept(how()));
  const test::Variable learn("TOMBOLO_LEARN", "no");
  CHECK(agreed(how() == first));
  const test::Variable unknown("TOMBOLO_LEARN", "maybe");
  CHECK_THROWS_WITH(how(), Catch::Matchers::Contains("TOMBOLO_LEARN: 'maybe' is not one of yes, no"));
}

TEST_CASE("plans of a platform file are kept apart from those of other platforms") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  const std::string file = folder / "p.json";
  {
    Session session = make_session();
    Platform platform = session.find_platform();
    platform.origin.source = "made by a test";
    if (session.rank() == 0) write_platform(file, platform);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK_FALSE(is_kept(how()));
  CHECK_FALSE(is_kept(how(file)));
  CHECK(is_kept(how()));
  CHECK(is_kept(how(file)));
}

TEST_CASE("what was planned before another platform was taken is kept") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  {
    Session session = make_session();
    session.discover_or_load();
    session.planner()->plan(Request::bcast(session.ranks(), 0, 100'000, 1));
    const std::string file = folder / "p.json";
    if (session.rank() == 0) write_platform(file, session.platform());
    MPI_Barrier(MPI_COMM_WORLD);
    session.use_platform(file);
  }
  CHECK(is_kept(how()));
}

TEST_CASE("speeds of kernels that a program measures leave the plans as they are") {
  if (machine::simulated()) return;
  const SharedFolder folder;
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  CHECK_FALSE(is_kept(how()));
  {
    Session session = make_session();
    session.remember("kernels", "{}");
  }
  CHECK(is_kept(how()));
}

TEST_CASE("a run with too little to tell exchanges nothing at its end") {
  const SharedFolder folder;
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  Session session = make_session();
  session.keep_experience();  // without any collective
  const auto collectives = session.make_collectives(Session::Kind::tombolo);
  collectives->barrier();
  session.keep_experience();
  CHECK(agreed(session.planner() != nullptr));
}
