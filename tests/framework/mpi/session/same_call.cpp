#include <array>
#include <string>

#include <catch2/catch.hpp>

#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/session.hpp>

#include "framework/mpi/program/running.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using namespace tombolo::test;
using test::agreed;

TEST_CASE("ranks that make different calls are told in the same words") {
  Session session = make_session();
  CHECK(agreed(words_of([&] { check_same_call(session.communicator(), "reads"); }).empty()));
  const Rank last = session.ranks() - 1;
  const std::string call = session.rank() == last ? "ends" : "reads";
  const std::string words = same_words(words_of([&] { check_same_call(session.communicator(), call); }));
  CHECK(words == (last == 0 ? ""
                            : "rank " + std::to_string(last) +
                                  " ends where rank 0 reads; make collective calls on all ranks, in the same order"));
}

namespace {

using Arguments = std::vector<const char*>;

/// What is said where the last rank has other arguments than the others; nothing for one rank.
std::string complaint(const Arguments& all, const Arguments& last) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Arguments& mine = rank > 0 && rank == ranks - 1 ? last : all;
  try {
    check_same_arguments(MPI_COMM_WORLD, static_cast<int>(mine.size()), mine.data());
  } catch (const AgreedError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& complaint, const std::string& words) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return agreed(ranks == 1 ? complaint.empty() : complaint.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("equal arguments will do, whatever the program is called") {
  CHECK(agreed(complaint({"a/program", "-x", "1"}, {"b/program", "-x", "1"}).empty()));
  CHECK(agreed(complaint({"program"}, {"program"}).empty()));
  CHECK(agreed(complaint({}, {}).empty()));
}

TEST_CASE("arguments that differ are told to all ranks") {
  CHECK(says(complaint({"p", "-x", "1", "z"}, {"p", "-x", "2", "z"}), R"("2" instead of "1")"));
  CHECK(says(complaint({"p", "-x"}, {"p", "-x", "2"}), R"("2" instead of nothing more)"));
  CHECK(says(complaint({"p", "-x", "2"}, {"p"}), R"(nothing more instead of "-x")"));
  CHECK(says(complaint({"p", "ab", "c"}, {"p", "a", "bc"}), R"("a" instead of "ab")"));
  CHECK(says(complaint({"p", "abc"}, {"p", "ab"}), R"("ab" instead of "abc")"));
  CHECK(says(complaint({"p", "", "x"}, {"p", "x"}), R"("x" instead of "")"));
}
