// Who may ask a program what it will do, and when.
#include <cstdint>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/program.hpp>

#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

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
