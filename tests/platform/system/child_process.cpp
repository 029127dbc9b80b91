#include <string>

#include <catch2/catch.hpp>

#include <tombolo/platform/system/child_process.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

TEST_CASE("a program gets its input whole, and its output and complaints come back whole") {
  const std::string text(5'000'000, 'x');  // more than any pipe holds
  const Ended ended = run_program({"sh", "-c", "cat; echo complaint >&2; exit 3"}, text, "");
  CHECK(ended.status == 3);
  CHECK(ended.out == text);
  CHECK(ended.err == "complaint\n");
}

TEST_CASE("a program need not read its input, and arguments are no words of a shell") {
  CHECK(run_program({"echo", "$HOME; exit 1"}, "unread", "").out == "$HOME; exit 1\n");
}

TEST_CASE("a program that a signal ended has its number in the status") {
  CHECK(run_program({"sh", "-c", "kill -9 $$"}, "", "").status == 128 + 9);
}

TEST_CASE("a program that is not there is an error with a remedy") {
  CHECK_THROWS_WITH(run_program({"no-such\nprogram"}, "", "install it"),
                    "there is no program no-such\\x0aprogram; install it");
}
