#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

Session make_session() {
  static int argc = 0;
  static char** argv = nullptr;
  return Session(argc, argv);
}

// Whether all ranks hold the same integers.
bool same_everywhere(const std::vector<std::int64_t>& mine) {
  std::vector<std::int64_t> of_root = mine;
  MPI_Bcast(of_root.data(), static_cast<int>(of_root.size()), MPI_INT64_T, 0, MPI_COMM_WORLD);
  return agreed(mine == of_root);
}

}  // namespace

TEST_CASE("a session knows its ranks and processors, the same on all") {
  Session session = make_session();
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(session.ranks() == ranks);
  const auto& processors = session.processors();
  REQUIRE(agreed(processors.size() == static_cast<std::size_t>(ranks)));
  std::vector<std::int64_t> numbers;
  for (const Processor& processor : processors) {
    CHECK_FALSE(processor.host.empty());
    CHECK(processor.cores >= 1);
    CHECK(processor.ranks_sharing >= 1);
    CHECK(processor.ranks_sharing <= processor.ranks_on_host);
    numbers.push_back(processor.cores);
    numbers.push_back(processor.ranks_on_host);
  }
  CHECK(same_everywhere(numbers));
}

TEST_CASE("one rank alone may ask a session for what it knows") {
  Session session = make_session();
  const Session& asked = session;
  const auto words = [&](const auto& get) -> std::string {
    try {
      get();
    } catch (const std::logic_error& error) {
      return error.what();
    }
    return "";
  };
  bool good = true;
  if (session.rank() == session.ranks() - 1) {
    good = asked.processors().size() == static_cast<std::size_t>(asked.ranks());
    const std::string before = " yet: discover_or_load() before, on all ranks";
    good = good && words([&] { asked.platform(); }) == "the session has no platform" + before;
    good = good && words([&] { asked.planner(); }) == "the session has no planner" + before;
    good = good && words([&] { asked.tuning(); }) == "the session has no tuning" + before;
    good = good && words([&] { asked.clusters(MPI_COMM_SELF); }) == "the session has no platform" + before;
  }
  CHECK(agreed(good));
  const Platform& found = session.discover_or_load();
  CHECK(agreed(&found == &asked.platform() && &found == &session.discover_or_load()));
  if (session.rank() == 0) good = asked.planner() != nullptr && words([&] { asked.tuning(); }).empty();
  CHECK(agreed(good));
}

TEST_CASE("threads x ranks stays within the cores, with one thread at least") {
  Session session = make_session();
  session.use_threads();
  for (const Processor& processor : session.processors()) {
    CHECK(processor.threads >= 1);
    CHECK((processor.threads == 1 || processor.threads * processor.ranks_sharing <= processor.cores));
  }
  session.use_threads(1);
  for (const Processor& processor : session.processors()) CHECK(processor.threads == 1);
}

TEST_CASE("speeds are measured on all ranks and the same on all, so shares are") {
  Session session = make_session();
  session.use_threads();
  const auto speeds = session.measure_gemm<double>({.m = 64, .n = 64, .k = 64});
  CHECK(agreed(std::all_of(speeds.begin(), speeds.end(), [](FlopsPerSecond s) { return s > 0; })));
  CHECK(same_everywhere(speeds));
  CHECK(session.processors().front().speed == speeds.front());
  CHECK(same_everywhere(proportional_shares(1001, speeds)));
}

TEST_CASE("speeds of transposing are measured on all ranks and the same on all") {
  Session session = make_session();
  const auto speeds = session.measure_transpose<float>({300, 200});
  CHECK(agreed(std::all_of(speeds.begin(), speeds.end(), [](BytesPerSecond s) { return s > 0; })));
  CHECK(same_everywhere(speeds));
}

TEST_CASE("the communication model is the same on all ranks") {
  Session session = make_session();
  session.discover_or_load();
  const Request request = Request::bcast(session.ranks(), 0, 1'000'000, 1);
  const Plan plan = session.planner()->plan(request);
  const Picoseconds time = predict(plan, session.planner()->model_for(request, plan.algorithm())).makespan;
  CHECK(same_everywhere({time, plan.parameters().segment_bytes, plan.parameters().window}));
  if (session.ranks() > 1) CHECK(time > 0);
  CHECK(session.planner()->bound(request) <= time);
}

TEST_CASE("what does not fit in memory is refused on all ranks") {
  Session session = make_session();
  CHECK_NOTHROW(require_memory(session, 1e6));
  const bool greedy = session.rank() == session.ranks() - 1;
  CHECK_THROWS_WITH(require_memory(session, greedy ? 1e30 : 0), Catch::Contains("GB free"));
}

TEST_CASE("what ranks of a host bring is summed up for each host") {
  Session session = make_session();
  const auto sum = [&](bool here) {
    double all = 0;
    for (Rank rank = 0; rank < session.ranks(); ++rank) {
      const auto& processors = session.processors();
      const bool same =
          processors[static_cast<std::size_t>(rank)].host == processors[static_cast<std::size_t>(session.rank())].host;
      if (same || !here) all += rank + 1;
    }
    return all;
  };
  CHECK(agreed(sum_on_host(session, session.rank() + 1) == sum(!machine::simulated())));
}

TEST_CASE("both kinds of collectives come from a session") {
  Session session = make_session();
  for (const auto kind : {Session::Kind::native, Session::Kind::tombolo}) {
    const auto collectives = session.make_collectives(kind);
    int x = session.rank() == 0 ? 42 : 0;
    collectives->bcast(&x, 1, MPI_INT, 0);
    CHECK(agreed(x == 42));
  }
}
