// Items that bodies compute in parts, so that messages get on in between.
#include "framework/mpi/program/running.hpp"
#include "support/variable.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

constexpr std::int64_t rows = 23;
constexpr std::int64_t columns = 37;
constexpr double seconds_of_an_item = 1;  // predicted: long enough for many parts

struct Calls {
  std::int64_t all = 0;
  std::int64_t of_parts = 0;
};

/// C += A + b in panels, part by part: what is computed twice or never is wrong. Returns the calls of the body.
Calls sums(Session& session, std::int64_t parts, int panels, Kind kind) {
  Program program(session, "sums", options(session, kind, panels));
  const Domain over = program.domain("rows", rows);
  const auto a = program.array<double>("A", {rows, columns}, Distributed::over(over).and_at(0));
  const auto b = program.array<double>("b", {columns}, Distributed::everywhere().and_at(0));
  const auto c = program.array<double>("C", {rows, columns}, Distributed::over(over).and_at(0));
  Calls calls;
  program.scatterv(a);
  program.scatterv(c);
  program.bcast(b);
  program.compute("add", over, {.kernel = "any", .operations = 1e9 * seconds_of_an_item, .parts = parts}, reads(a),
                  whole(b), updates(c), [&calls](const Range& range, auto of_a, auto all_b, auto of_c) {
                    const Range some = range.part_of(columns);
                    ++calls.all;
                    if (some.count() < columns) ++calls.of_parts;
                    for (std::int64_t i = range.first(); i < range.end(); ++i) {
                      for (std::int64_t j = some.first(); j < some.end(); ++j) of_c(i, j) += of_a(i, j) + all_b(j);
                    }
                  });
  program.gatherv(c);
  program.prepare();
  const std::span<double> of_a = program.refill(a);
  for (std::size_t i = 0; i < of_a.size(); ++i) of_a[i] = static_cast<double>(i);
  program.fill(b, 0.5);
  program.fill(c, 100.0);
  program.run();
  const std::span<const double> found = program.local(c);
  bool right = true;
  for (std::size_t i = 0; session.rank() == 0 && i < found.size(); ++i) {
    right = right && found[i] == static_cast<double>(i) + 100.5;
  }
  CHECK(agreed(right));
  return calls;
}

}  // namespace

TEST_CASE("what is computed in parts is computed once, in any panels") {
  Session session = make_session();
  for (const Kind kind : {Kind::tombolo, Kind::native}) {
    for (const int panels : {1, 2, 5}) {
      for (const std::int64_t parts : {1, 3, 64}) {
        const Calls calls = sums(session, parts, panels, kind);
        CHECK(agreed(parts > 1 || calls.of_parts == 0));
      }
    }
  }
}

TEST_CASE("ranks compute in parts while messages are under way, and only then") {
  Session session = make_session();
  const Calls one_panel = sums(session, 8, 1, Kind::tombolo);
  CHECK(agreed(one_panel.of_parts == 0 && one_panel.all <= 1));
  const Calls calls = sums(session, 8, 2, Kind::tombolo);
  CHECK(agreed(session.ranks() == 1 || session.rank() > 0 || calls.of_parts > 0));
}

TEST_CASE("a body that computes all where it is asked for a part is found", "[.check_parts]") {
  const Variable checked("TOMBOLO_CHECK", "1");
  Session session = make_session();
  Program program(session, "checked", options(session));
  const Domain over = program.domain("rows", rows);
  const auto a = program.array<double>("a", {rows, 2}, Distributed::over(over));
  program.compute("work", over, {.kernel = "any", .operations = 1, .parts = 2}, updates(a),
                  [](const Range&, auto of_a) {
                    for (double& each : of_a) each += 1;
                  });
  program.prepare();
  program.fill(a, 1.0);
  program.run();
}
