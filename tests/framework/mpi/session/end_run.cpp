// How a program ends when ranks know alone that it cannot go on: hidden, for tests/apps/endings_test.py.
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/program.hpp>
#include <tombolo/session.hpp>

using namespace tombolo;

namespace {

char* no_arguments[] = {nullptr};

/// Runs a program whose ranks wait for one another; `fail` is called on the rank that the environment names, or on all.
void end_on(const std::function<void(Rank)>& fail) {
  const char* const name = std::getenv("TOMBOLO_TEST_RANK");
  const std::string which = name == nullptr ? "all" : name;
  const int status = run_main(0, no_arguments, "test", [&](Session& session) {
    if (which == "all" || which == std::to_string(session.rank())) fail(session.rank());
    MPI_Barrier(session.communicator());
  });
  FAIL("came back with status " << status);
}

}  // namespace

TEST_CASE("ranks that fail with words", "[.ends_with_words]") {
  end_on([](Rank rank) { throw std::runtime_error("rank " + std::to_string(rank) + " is out of ink"); });
}

TEST_CASE("a rank that ends while others run a program", "[.ends_early]") {
  const int status = run_main(0, no_arguments, "test", [&](Session& session) {
    if (std::to_string(session.rank()) == std::getenv("TOMBOLO_TEST_RANK")) return;
    Program program(session, "heat");
    program.run();
  });
  FAIL("came back with status " << status);
}

TEST_CASE("ranks that fail without words", "[.ends_without_words]") {
  end_on([](Rank) { throw std::runtime_error(""); });
}

TEST_CASE("ranks that fail by no exception of the library's", "[.ends_by_a_number]") {
  end_on([](Rank) { throw 7; });
}

TEST_CASE("ranks that have no memory left", "[.ends_without_memory]") {
  end_on([](Rank) { throw std::bad_alloc(); });
}
