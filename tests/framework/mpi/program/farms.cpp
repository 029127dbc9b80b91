// Items that go to whoever is ready.
#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

// Some take a thousand times as long as others.
double result(std::int64_t item) {
  double sum = 0;
  for (std::int64_t i = 0; i <= (item % 7 == 3 ? 20'000 : 20); ++i) sum += static_cast<double>(i % (item + 2));
  return sum;
}

bool farmed(Session& session, Kind kind, std::int64_t items, std::int64_t grain, Rank root, bool all_hold_it = false) {
  Program program(session, "farm", options(session, kind));
  const Domain domain = program.domain("items", items, {.grain = grain});
  const auto at_root = Distributed::over(domain).and_at(root);
  const auto results = program.array<double>("results", {items, 2}, all_hold_it ? at_root.and_everywhere() : at_root);
  program.farm("work", domain, any(1000), writes(results), [](const Range& range, auto found) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      found(i, 0) = static_cast<double>(i);
      found(i, 1) = result(i);
    }
  });
  program.prepare();
  bool right = true;
  for (int run = 0; run < 2; ++run) {
    program.fill(results, -1.0);
    const RunReport report = program.run();
    double done = 0;
    for (const MemberReport& member : report.members) done += member.operations;
    right = right && std::abs(done - 1000.0 * static_cast<double>(items)) < 1;
    const std::span<const double> found = program.local(results);
    right = right && std::ssize(found) == (session.rank() == root ? 2 * items : 0);
    for (std::size_t i = 0; i < found.size(); i += 2) {
      const auto item = static_cast<std::int64_t>(i / 2);
      right = right && found[i] == static_cast<double>(item) && found[i + 1] == result(item);
    }
  }
  return agreed(right);
}

}  // namespace

TEST_CASE("every item of a farm is done once, and its result is at the root") {
  Session session = make_session();
  const Rank last = session.ranks() - 1;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const std::int64_t items : {0, 1, 3, 50, 501}) {
      for (const std::int64_t grain : {1, 4, 1000}) {
        for (const Rank root : {0, last}) {
          // On many ranks either root in turns.
          if (session.ranks() > 3 && (root == last) == ((items % 2 == grain % 2) == (kind == Kind::native))) continue;
          INFO(items << " items by " << grain << ", root " << root);
          CHECK(farmed(session, kind, items, grain, root));
        }
      }
    }
  }
  CHECK(farmed(session, Kind::tombolo, 50, 2, last, true));
}
