#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/program.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

#include "platform/random_platform.hpp"
#include "support/agree.hpp"
#include "support/variable.hpp"

using namespace tombolo;
using test::agreed;

namespace {

constexpr std::int64_t rows = 1000;

Session make_session() {
  static int argc = 0;
  static char** argv = nullptr;
  return Session(argc, argv);
}

std::vector<std::int64_t> speeds_of(int ranks) {
  std::vector<std::int64_t> speeds(static_cast<std::size_t>(ranks));
  std::iota(speeds.begin(), speeds.end(), 1'000'000'000);
  return speeds;
}

// Rows of a plate, scattered, worked on and gathered.
void declare(Program& program) {
  const Domain domain = program.domain("rows", rows);
  const auto plate = program.array<double>("plate", {rows, 500}, Distributed::over(domain).and_at(0));
  program.scatterv(plate);
  program.compute("work", domain, {.kernel = "heat", .operations = 1e7}, updates(plate), [](const Range&, auto) {});
  program.gatherv(plate);
}

RunReport expected(Session& session) {
  Program program(session, "plates", {.speeds = {{"heat", speeds_of(session.ranks())}}});
  declare(program);
  program.plan();
  return program.predicted();
}

Platform made_up(unsigned seed, int ranks) {
  Platform platform = RandomPlatform(seed).make(ranks);
  platform.sections.clear();  // which are not of any reader
  return platform;
}

std::int64_t items_of(const RunReport& run) {
  std::int64_t items = 0;
  for (const MemberReport& member : run.members) items += member.items.front();
  return items;
}

}  // namespace

TEST_CASE("a program is predicted on the ranks of an imagined session as on those that are here") {
  const test::Variable learn("TOMBOLO_LEARN", "no");  // a run here would use plans that earlier runs kept
  Session session = make_session();
  const RunReport here = expected(session);
  Session imagined(session.platform(), "a copy");
  CHECK(agreed(imagined.imagined() && !session.imagined() && imagined.ranks() == session.ranks()));
  const RunReport there = expected(imagined);
  CHECK(agreed(there.predicted_s == here.predicted_s && there.how == here.how));
  CHECK(agreed(to_text(there) == to_text(here)));
}

TEST_CASE("an imagined session may have any ranks, and parts of them") {
  Session session = make_session();
  // Each rank imagines others, without a message.
  for (int seed = session.rank(); seed < 5; seed += session.ranks()) {
    Session imagined(made_up(static_cast<unsigned>(seed), 12), "made up");
    CHECK_THROWS_AS(imagined.planner(), std::logic_error);
    const RunReport all = expected(imagined);
    CHECK(all.ranks == 12);
    CHECK(items_of(all) == rows);
    CHECK(imagined.platform_source() == "made up");
    Session part(imagined, {1, 4, 7});
    CHECK(part.processors()[1].host == imagined.processors()[4].host);
    const RunReport some = expected(part);
    CHECK(some.ranks == 3);
    CHECK(items_of(some) == rows);
  }
}

TEST_CASE("an imagined session takes the speeds of kernels from its platform") {
  Session session = make_session();
  Platform platform = made_up(1, 4);
  const auto plan = [&](Session& imagined) {
    Program program(imagined, "plates");
    declare(program);
    program.plan();
    return program.predicted().members.front().predicted_s;
  };
  {
    Session imagined(platform, "made up");
    CHECK_THROWS_WITH(plan(imagined), Catch::Contains("made up has no speeds of kernel heat; ") &&
                                          Catch::Contains("tombolo discover --kernels heat"));
  }
  KernelSpeeds speeds{.unit = "flop"};
  speeds.conditions.threads = {1, 1, 1, 1};
  for (const std::int64_t speed : {1, 2, 3, 4}) {
    speeds.by_rank.push_back(SpeedFunction::constant(speed * 1'000'000'000));
  }
  store_kernel(platform, "heat", speeds);
  Session imagined(platform, "made up");
  CHECK(plan(imagined) > 0);
  Session part(imagined, {3, 0});
  const auto of_part = stored_kernels(part.platform()).at("heat").by_rank;
  REQUIRE(of_part.size() == 2);
  CHECK(of_part[0].at(1) == 4'000'000'000);
  CHECK(of_part[1].at(1) == 1'000'000'000);
}

TEST_CASE("a program of an imagined session cannot be prepared, nor its ranks measured") {
  Session session = make_session();
  Session imagined(made_up(2, 5), "made up");
  Program program(imagined, "plates", {.speeds = {{"heat", speeds_of(5)}}});
  declare(program);
  CHECK_THROWS_WITH(program.prepare(), Catch::Contains("program plates is for 5 ranks that are not here; "));
  CHECK_THROWS_AS(imagined.measure_gemm<double>({10, 10, 10}), std::logic_error);
}
