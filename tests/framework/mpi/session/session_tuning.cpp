// Which decisions a session keeps to.
#include <catch2/catch.hpp>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/session.hpp>

#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::make_session;
using test::SharedFolder;

namespace {

// One decision about a bcast of 64 B from the last rank, and one that leaves a barrier to MPI.
Tuning tuning_of(Session& session) {
  std::vector<std::string> hosts;
  for (const Processor& processor : session.processors()) hosts.push_back(processor.host);
  Tuning tuning(hosts);
  tuning.keep({.operation = Operation::bcast,
               .root = session.ranks() - 1,
               .bytes = 64,
               .algorithm = "chain",
               .parameters = {.segment_bytes = 8}});
  tuning.keep({.operation = Operation::barrier, .backend = Backend::native, .algorithm = "exchange"});
  return tuning;
}

bool keeps_to_it(Session& session) {
  const auto collectives = session.make_collectives(Session::Kind::tombolo);
  auto& planned = dynamic_cast<PlannedCollectives&>(*collectives);
  const Request bcast = Request::bcast(session.ranks(), session.ranks() - 1, 64, 1);
  const Request barrier = Request::barrier(session.ranks());
  planned.barrier();  // goes either way
  int word = session.rank() == session.ranks() - 1 ? 7 : 0;
  planned.bcast(&word, 1, MPI_INT, session.ranks() - 1);
  return word == 7 && planned.plan_for(bcast) == Plan(bcast, bcast_chain, {.segment_bytes = 8}) &&
         planned.planner()->backend(bcast) == Backend::plan && planned.planner()->backend(barrier) == Backend::native;
}

std::string complaint(Session& session, const std::string& file) {
  try {
    session.use_tuning(file);
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("planned collectives keep to the file that is named, or to the environment's") {
  const SharedFolder folder;
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  const std::string file = folder / "t.json";
  {
    Session session = make_session();
    const Tuning tuning = tuning_of(session);
    if (session.rank() == 0) write_text(file, to_json(tuning));
    MPI_Barrier(MPI_COMM_WORLD);
    session.discover_or_load();
    CHECK(agreed(session.tuning() == nullptr && !keeps_to_it(session)));
    session.use_tuning(file);
    CHECK(agreed(*session.tuning() == tuning_of(session) && keeps_to_it(session)));
  }
  Session session = make_session();
  std::optional<test::Variable> named;  // simulated ranks share an environment
  if (session.rank() == 0) named.emplace("TOMBOLO_TUNING", file);
  CHECK(agreed(keeps_to_it(session)));
}

TEST_CASE("a tuning of other hosts, or none, is refused on all ranks") {
  const SharedFolder folder;
  Session session = make_session();
  if (session.rank() == 0) {
    write_text(folder / "other.json", to_json(Tuning(std::vector<std::string>{"elsewhere"})));
    write_text(folder / "broken.json", "{\"format\":");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (const std::string name : {"other.json", "broken.json", "missing.json"}) {
    const std::string words = complaint(session, folder / name);
    INFO(words);
    CHECK(agreed(words.find(name) != std::string::npos && words.find("; ") != std::string::npos));
    CHECK(agreed(words.find('\n') == std::string::npos));
  }
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  session.discover_or_load();
  CHECK(agreed(session.tuning() == nullptr));
}

TEST_CASE("a tuning that the environment names and that is not there ends discover_or_load() on all ranks") {
  const SharedFolder folder;
  const test::Variable cache("TOMBOLO_CACHE", folder / "cache");
  Session session = make_session();
  std::optional<test::Variable> named;
  if (session.rank() == 0) named.emplace("TOMBOLO_TUNING", folder / "missing.json");
  CHECK_THROWS_AS(session.discover_or_load(), AgreedError);
  CHECK(agreed(session.find_platform().ranks() == session.ranks()));  // which needs no tuning
}
