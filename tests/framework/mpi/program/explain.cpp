// Who may ask a program what it will do, and when.
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/program.hpp>

#include "framework/mpi/program/running.hpp"
#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

/// Sums of an array's items, broadcast so many times before.
struct Sums {
  Sums(Session& session, std::int64_t items, int times) : program(session, "sums", test::options(session)) {
    const Domain domain = program.domain("items", items);
    const auto a = program.array<double>("A", {items}, Distributed::everywhere().and_at(0));
    const auto sum = program.partial<double>("sum", Reduce::sum);
    for (int time = 0; time < times; ++time) program.bcast(a);
    program.compute("add", domain, test::any(), whole(a), combines(sum),
                    [](const Range&, auto, double& sum_of_mine) { ++sum_of_mine; });
    program.allreduce(sum);
  }
  Program program;
};

}  // namespace

TEST_CASE("what a program will do is told to a rank alone, once it is planned") {
  Session session = test::make_session();
  Program program(session, "news", {.progress = false});
  const auto a = program.array<double>("A", {10}, Distributed::everywhere().and_at(0));
  constexpr std::int64_t passes = 200;
  program.repeat("rounds", passes, [&] { program.bcast(a); });
  std::string words;
  if (session.rank() == 0) {
    try {
      words = program.explain();
    } catch (const std::logic_error& error) {
      words = error.what();
    }
  }
  CHECK(agreed(session.rank() != 0 || words == "program news is not planned yet; plan() before"));
  program.plan();
  if (session.rank() == 0) words = program.explain();
  CHECK(agreed(session.rank() != 0 || words.find("reckons with 200 passes of rounds\n") != std::string::npos));
}

TEST_CASE("programs are predicted together, and one of them is planned so") {
  Session session = test::make_session();
  Sums one(session, 10, 1);
  Sums large(session, 100'000, 2);
  Sums alone(session, 100'000, 2);
  const std::vector<ProgramForecast> forecasts = Program::predict(std::array{&one.program, &large.program});
  REQUIRE(agreed(forecasts.size() == 2));
  alone.program.plan();
  large.program.plan();
  CHECK(agreed(forecasts[1].seconds == large.program.predicted().predicted_s));
  CHECK(agreed(forecasts[1].seconds == alone.program.predicted().predicted_s));
  CHECK(agreed(forecasts[0].seconds < forecasts[1].seconds));
  CHECK(agreed(forecasts[1].computing_ranks == session.ranks()));
  CHECK(agreed(forecasts[1].computing_s > 0));
  CHECK(test::agreed_error([&] { Program::predict(std::array{&large.program}); }) ==
        "program sums is planned already; predict programs before plan()");
  CHECK(agreed(Program::predict({}).empty()));
}
