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
  const Slices slices = program.slices("items", items, {.grain = grain});
  const Held held = Held::by(slices).and_at(root);
  const auto results = program.array<double>("results", {items, 2}, all_hold_it ? held.and_everywhere() : held);
  program.farm("work", {.over = slices, .kernel = "any", .operations = 1000}, results, [=](const Slice& slice) {
    for (std::int64_t i = 0; i < slice.count; ++i) {
      results.at(slice)[2 * i] = static_cast<double>(slice.first + i);
      results.at(slice)[2 * i + 1] = result(slice.first + i);
    }
  });
  program.prepare();
  bool right = true;
  for (int run = 0; run < 2; ++run) {
    if (session.rank() == root) std::fill_n(results.data(), 2 * items, -1.0);
    const RunReport report = program.run();
    double done = 0;
    for (const MemberReport& member : report.members) done += member.operations;
    right = right && std::abs(done - 1000.0 * static_cast<double>(items)) < 1;
    for (std::int64_t i = 0; i < items && session.rank() == root; ++i) {
      right = right && results.data()[2 * i] == static_cast<double>(i) && results.data()[2 * i + 1] == result(i);
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
          INFO(items << " items by " << grain << ", root " << root);
          CHECK(farmed(session, kind, items, grain, root));
        }
      }
    }
  }
  CHECK(farmed(session, Kind::tombolo, 50, 2, last, true));
}
