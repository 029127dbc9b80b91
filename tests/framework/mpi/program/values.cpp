// Where the newest values are between runs: what is written, filled anew, and known to ranks that take no part.
#include <numeric>

#include <tombolo/framework/program/declare/arrangement.hpp>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;

namespace {

constexpr std::int64_t rows_of_all = 13;

// A file that has these rows of two, as every rank reads it.
bool has(Session& session, const std::string& path, const std::function<double(std::int64_t)>& element) {
  Program reader(session, "reader", options(session));
  const auto all = reader.array<double>("all", {rows_of_all, 2}, Distributed::everywhere());
  reader.read(all, path);
  const std::span<const double> found = reader.local(all);
  bool right = found.size() == 2 * rows_of_all;
  for (std::size_t i = 0; i < found.size(); ++i) right = right && found[i] == element(static_cast<std::int64_t>(i));
  return agreed(right);
}

double squared(std::int64_t i) {
  return static_cast<double>(i * i);
}

constexpr auto write_squares = [](const Range& range, auto a) {
  for (std::int64_t i = range.first(); i < range.end(); ++i) a(i, 0) = squared(2 * i), a(i, 1) = squared(2 * i + 1);
};
constexpr auto add_one = [](const Range&, auto a) {
  for (double& each : a) each += 1;
};

}  // namespace

TEST_CASE("a file gets the newest values, wherever they are") {
  Session session = make_session();
  const SharedFolder folder;
  const Rank last = session.ranks() - 1;
  for (const int panels : {1, 4}) {
    for (const int way : {0, 1, 2, 3, 4}) {
      for (const bool gathers : {false, true}) {
        if (gathers && way == 0) continue;
        // On many ranks either number of panels in turns.
        if (session.ranks() > 3 && (panels == 1) == ((way % 2 == 0) == gathers)) continue;
        INFO(panels << " panels, way " << way << (gathers ? ", gathered" : ""));
        Program program(session, "squares", options(session, Kind::tombolo, panels));
        const Domain rows = program.domain("rows", rows_of_all, {.grain = 2});
        const auto over = Distributed::over(rows);
        const auto a =
            program.array<double>("a", {rows_of_all, 2},
                                  std::vector{over, over.and_everywhere(), over.and_at(0), over.and_at(last),
                                              over.and_everywhere().and_at(last)}[static_cast<std::size_t>(way)]);
        program.compute("square", rows, any(), writes(a), write_squares);
        if (gathers && way == 1) program.allgatherv(a);
        if (gathers && way > 1) program.gatherv(a);
        program.prepare();
        if (way > 0) program.fill(a, -1.0);
        program.run();
        program.write(a, folder / "a.npy");
        CHECK(has(session, folder / "a.npy", squared));
        program.run();
        program.write(a, folder / "a.npy");
        CHECK(has(session, folder / "a.npy", squared));
      }
    }
  }
}

TEST_CASE("this rank's items of an array in panels are visited, not one span of memory") {
  Session session = make_session();
  Program program(session, "panels", options(session, Kind::tombolo, 4));
  const Domain rows = program.domain("rows", rows_of_all);
  const auto a = program.array<double>("a", {rows_of_all, 2}, Distributed::over(rows).and_everywhere());
  program.compute("square", rows, any(), writes(a), write_squares);
  program.run();
  if (program.division(rows).panels() > 1) {
    CHECK_THAT(words_of([&] { program.local(a); }), Contains("each_of_mine() visits them"));
  }
  bool right = true;
  program.each_of_mine(rows, reads(a), [&](const Range& range, auto view) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) right = right && view(i, 1) == squared(2 * i + 1);
  });
  CHECK(agreed(right));
}

TEST_CASE("before the first run a rank has what it is to fill, and nothing else") {
  Session session = make_session();
  Program program(session, "begin", options(session));
  const Domain rows = program.domain("rows", 10);
  const Rank last = session.ranks() - 1;
  const auto over = Distributed::over(rows);
  const auto items = program.array<double>("items", {10}, over);
  const auto rooted = program.array<double>("rooted", {10}, over.and_at(last));
  const auto from_root = program.array<double>("from root", {10}, Distributed::everywhere().and_at(last));
  const auto both = program.array<double>("both", {10}, over.and_everywhere().and_at(last));
  const auto all = program.array<double>("all", {10}, over.and_everywhere());
  program.compute("work", rows, any(), updates(items), add_one);
  program.prepare();
  const std::size_t at_root = session.rank() == last ? 10 : 0;
  const auto mine = static_cast<std::size_t>(program.mine(rows).count());
  CHECK(agreed(program.local(items).size() == mine && program.local(all).size() == 10));
  CHECK(agreed(program.local(rooted).size() == at_root));
  CHECK(agreed(program.local(from_root).size() == at_root));
  CHECK(agreed(program.local(both).size() == at_root));
}

TEST_CASE("a run that would read a stale copy is refused on all ranks, and begins with what is filled anew") {
  Session session = make_session();
  const SharedFolder folder;
  Program program(session, "again", options(session));
  const Domain rows = program.domain("rows", rows_of_all);
  const Rank root = session.ranks() - 1;
  const auto a = program.array<double>("a", {rows_of_all, 2}, Distributed::over(rows).and_at(root));
  program.scatterv(a);
  program.compute("add", rows, any(), updates(a), add_one);
  program.prepare();
  program.fill(a, 1.0);
  program.run();
  const auto is = [&](double value) {
    program.write(a, folder / "a.npy");
    return has(session, folder / "a.npy", [=](std::int64_t) { return value; });
  };
  CHECK(is(2));
  const auto refused = [&] {
    CHECK_THAT(agreed_error([&] { program.run(); }),
               Contains("'scatterv a' reads the root's copy of a, whose newest values are in the items of each rank"));
  };
  refused();
  refused();
  CHECK(is(2));
  program.fill(a, 5.0);
  program.run();
  CHECK(is(6));
  refused();
  if (session.rank() == root) std::ranges::fill(program.refill(a), 10.0);
  program.run();
  CHECK(is(11));
  refused();
  program.read(a, folder / "a.npy");
  program.run();
  CHECK(is(12));
  if (session.ranks() > 1 && session.rank() != root) program.refill(a);
  if (session.ranks() > 1) refused();
}

TEST_CASE("what every rank holds is filled anew by every rank") {
  Session session = make_session();
  Program program(session, "again", options(session));
  const Domain rows = program.domain("rows", 10);
  const auto x = program.array<double>("x", {10}, Distributed::over(rows).and_everywhere());
  const auto y = program.array<double>("y", {10}, Distributed::over(rows));
  const auto factor = program.number<double>("factor");
  program.compute("read", rows, any(), whole(x), whole(factor), writes(y),
                  [](const Range& range, auto all, double times, auto of_y) {
                    for (std::int64_t i = range.first(); i < range.end(); ++i) of_y(i) = times * all(9 - i);
                  });
  program.compute("write", rows, any(), reads(y), writes(x), [](const Range& range, auto of_y, auto of_x) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) of_x(i) = of_y(i);
  });
  program.prepare();
  const auto fill = [&] {
    const std::span<double> all = program.refill(x);
    std::iota(all.begin(), all.end(), 0.0);
  };
  const auto right = [&](double times) {
    bool same = true;
    program.each_of_mine(rows, reads(x), [&](const Range& range, auto of_x) {
      for (std::int64_t i = range.first(); i < range.end(); ++i) {
        same = same && of_x(i) == times * static_cast<double>(9 - i);
      }
    });
    return agreed(same);
  };
  fill();
  program.fill(factor, 2.0);
  program.run();
  CHECK(right(2));
  CHECK_THAT(agreed_error([&] { program.run(); }),
             Contains("'read' reads the whole of x, whose newest values are in the items of each rank"));
  fill();
  program.fill(factor, 3.0);
  program.run();
  CHECK(right(3));
  // Copies that differ would give other results on other ranks.
  fill();
  if (session.rank() == 0) program.fill(factor, 4.0);
  const std::string words = agreed_error([&] { program.run(); });
  if (session.ranks() == 1) {
    CHECK(right(4));
  } else {
    CHECK_THAT(words, Contains("factor is filled on some ranks and not on others"));
    program.fill(factor, 5.0);
    program.run();
    CHECK(right(5));
  }
}

TEST_CASE("each_of_mine fills items where an array begins with them, and combines nothing") {
  Session session = make_session();
  Program program(session, "each", options(session));
  const Domain rows = program.domain("rows", 10);
  const auto over = Distributed::over(rows);
  const auto rooted = program.array<double>("rooted", {10}, over.and_at(0));
  const auto all = program.array<double>("all", {10}, over.and_everywhere());
  const auto p = program.partial<double>("p", Reduce::sum);
  program.scatterv(rooted);
  program.compute("add", rows, any(), updates(rooted), updates(all), combines(p),
                  [](const Range&, auto, auto, double&) {});
  program.allreduce(p);
  program.run();
  for (const auto& array : {rooted, all}) {
    const std::string words = " items of " + program.declaration().arrays[static_cast<std::size_t>(array.number)].name +
                              ", which begins as a whole; fill it where it is whole";
    CHECK_THAT(words_of([&] { program.each_of_mine(rows, writes(array), add_one); }), Contains("writes" + words));
    CHECK_THAT(words_of([&] { program.each_of_mine(rows, updates(array), add_one); }), Contains("updates" + words));
  }
  CHECK_THAT(words_of([&] { program.each_of_mine(rows, combines(p), [](const Range&, double&) {}); }),
             Contains("each_of_mine combines p, which only a program reduces"));
  CHECK(agreed(program.local(p) == 0));
}

TEST_CASE("ranks that are left out know numbers, and hold nothing else") {
  Session session = make_session();
  const Rank worker = session.ranks() / 2;
  Program program(session, "left out", options_of_one(session, worker));
  const Domain rows = program.domain("rows", 100);
  const auto a = program.array<double>("a", {100}, Distributed::over(rows));
  const auto x = program.array<double>("x", {1000}, Distributed::everywhere().and_at(worker));
  const auto parts = program.partial<double>("parts", {3}, Reduce::sum);
  const auto sum = program.partial<double>("sum", Reduce::sum);
  const auto before = program.partial<double>("before", Reduce::sum);
  const auto term = program.number<double>("term");
  program.bcast(x);  // for which the others would wait
  program.repeat("pass", 3, [&] {
    program.compute("add", rows, any(1000), whole(term), updates(a), combines(sum), combines(parts),
                    [](const Range& range, double each, auto of_a, double& all, auto some) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) all += of_a(i) += each;
                      some(2) = all;
                    });
    program.allreduce(sum);
    program.allreduce(parts);
    program.swap(sum, before);
  });
  program.prepare();
  const bool works = session.rank() == worker;
  CHECK(agreed(program.takes_part() == works));
  for (int run = 0; run < 2; ++run) {
    program.fill(a, 1.0);
    program.fill(x, 1.0);
    program.fill(term, 2.0 + run);
    program.fill(sum, -1.0);
    program.fill(before, -1.0);
    program.fill(parts, -1.0);
    CHECK(agreed(program.local(term) == 2.0 + run && program.local(before) == -1));
    const RunReport report = program.run();
    CHECK(agreed(report.members.size() == 1 && report.members[0].rank == worker));
    CHECK(agreed(program.local(before) == 100 * (1 + 3 * (2.0 + run))));
    CHECK(agreed(program.local(sum) == 100 * (1 + 2 * (2.0 + run))));
    CHECK(agreed(program.local(term) == 2.0 + run));
    CHECK(agreed(program.local(a).size() == (works ? 100 : 0) && program.refill(x).size() == (works ? 1000 : 0)));
    CHECK(agreed(program.local(parts).size() == (works ? 3 : 0)));
    CHECK(agreed(program.mine(rows).count() == (works ? 100 : 0)));
    bool called = false;
    program.each_of_mine(rows, reads(a), [&](const Range&, auto) { called = true; });
    CHECK(agreed(called == works));
  }
}
