// What goes wrong before anything runs, on all ranks alike; and (hidden, for tests/apps/program_errors_test.py) in a
// task of one rank.
#include <chrono>
#include <stdexcept>
#include <thread>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

using Declare = std::function<void(Program&, const Session&)>;

std::string error_of(const Declare& declare, const std::function<void(ProgramOptions&, Rank)>& change = {}) {
  Session session = make_session();
  ProgramOptions how = options(session);
  if (change) change(how, session.rank());
  return agreed_error([&] {
    Program program(session, "wrong", how);
    declare(program, session);
    program.run();
  });
}

// A bcast of so many elements, and work on them.
void declare(
    Program& program, std::int64_t size, const std::function<void(const Range&)>& work = [](const Range&) {}) {
  const Domain rows = program.domain("rows", size);
  const auto a = program.array<double>("a", {size}, Distributed::over(rows).and_at(0));
  program.scatterv(a);
  program.compute("work", rows, any(), updates(a), [work](const Range& range, auto /*a*/) { work(range); });
  program.gatherv(a);
}

}  // namespace

TEST_CASE("ranks that declare different programs are told") {
  const auto differing = [](Program& program, const Session& session) { declare(program, 10 + session.rank()); };
  Session session = make_session();
  if (session.ranks() == 1) {
    CHECK(error_of(differing).empty());
    return;
  }
  CHECK_THAT(error_of(differing), Contains("rank 1 has declared another program than rank 0"));
  const auto alike = [](Program& program, const Session&) { declare(program, 10); };
  CHECK_THAT(error_of(alike, [](ProgramOptions& how,
                                Rank rank) { how.collectives = rank == 1 ? Kind::native : Kind::tombolo; }),
             Contains("another program"));
  CHECK(error_of(alike).empty());
}

TEST_CASE("a loop that ends by a rule on one rank only is another program") {
  Session session = make_session();
  const auto loop = [](Program& program, const Session& of) {
    const Domain items = program.domain("items", 3);
    const auto a = program.partial<double>("a", Reduce::sum);
    const auto pass = [&] {
      program.compute("add", items, any(), combines(a), [](const Range&, double& sum) { sum += 1; });
      program.allreduce(a);
    };
    program.repeat("loop", 3, pass, of.rank() == 0 ? until(a, [](double) { return true; }) : LoopRule{});
  };
  const std::string words = error_of(loop);
  CHECK(words.empty() == (session.ranks() == 1));
  if (session.ranks() > 1) CHECK_THAT(words, Contains("beginning with loop loop"));
}

TEST_CASE("a declaration that contradicts itself, on any rank, is an error on all") {
  const auto wrong = [](Program& program, const Session& session) {
    const Domain rows = program.domain("rows", 10);
    const auto a = program.array<double>("a", {10}, Distributed::over(rows).and_at(0));
    if (session.rank() == session.ranks() - 1) program.bcast(a);
  };
  CHECK_THAT(error_of(wrong), Contains("needs a to be everywhere, from a root"));
}

TEST_CASE("roots, shares and speeds that do not suit the ranks are errors on all") {
  const auto beyond = [](Program& program, const Session& session) {
    const auto a = program.array<double>("a", {10}, Distributed::everywhere().and_at(session.ranks()));
    program.bcast(a);
  };
  CHECK_THAT(error_of(beyond), Contains("a is at rank"));
  const auto shared = [](Program& program, const Session& session) {
    program.domain("rows", 10, {.given = std::vector<std::int64_t>(static_cast<std::size_t>(session.ranks()) + 1, 0)});
  };
  CHECK_THAT(error_of(shared), Contains("rows are given shares of 0 items"));
  const auto good = [](Program& program, const Session&) { declare(program, 10); };
  CHECK_THAT(error_of(good, [](ProgramOptions& how, Rank) { how.speeds["any"].push_back(1); }), Contains("speeds for"));
  CHECK_THAT(error_of(good, [](ProgramOptions& how, Rank) { how.speeds["any"][0] = 0; }),
             Contains("no speed on rank 0"));
}

TEST_CASE("a program that does not fit into memory is an error on all, before anything runs") {
  for (const std::int64_t size : {std::int64_t{1} << 45, std::int64_t{1} << 56}) {
    const auto large = [&](Program& program, const Session&) { declare(program, size); };
    CHECK_THAT(error_of(large), Contains("GB"));
  }
  const auto beyond = [](Program& program, const Session&) { declare(program, std::int64_t{1} << 58); };
  CHECK_THAT(error_of(beyond), Contains("2^60"));
}

TEST_CASE("a program of no tasks runs") {
  CHECK(error_of([](Program&, const Session&) {}).empty());
  CHECK(error_of([](Program& program, const Session&) { program.domain("rows", 3); }).empty());
}

TEST_CASE("a task that throws on the last rank", "[.throws]") {
  const std::string wrong = error_of([](Program& program, const Session& session) {
    const bool last = session.rank() == session.ranks() - 1;
    declare(program, 1000, [=](const Range&) {
      if (last) throw std::runtime_error("out of ink");
    });
  });
  FAIL("came back with: " << wrong);
}

TEST_CASE("a task that throws beside collectives that are under way", "[.throws_beside]") {
  const std::string wrong = error_of(
      [](Program& program, const Session& session) {
        const bool last = session.rank() == session.ranks() - 1;
        const bool first = session.rank() == 0;
        declare(program, 100'000, [=](const Range& range) {
          if (first) std::this_thread::sleep_for(std::chrono::milliseconds(100));
          if (last && range.first() > 50'000) throw std::runtime_error("out of ink");
        });
      },
      [](ProgramOptions& how, Rank) { how.panels = 4; });
  FAIL("came back with: " << wrong);
}

TEST_CASE("a task that throws on all ranks", "[.throws_everywhere]") {
  const std::string wrong = error_of([](Program& program, const Session&) {
    program.task("own", {}, [](Collectives&) { throw std::runtime_error("out of ink"); });
  });
  FAIL("came back with: " << wrong);
}
