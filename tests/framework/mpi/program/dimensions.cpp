// Domains of two and three dimensions: ranges, views, halos, weights and costs.
#include <numeric>

#include <tombolo/framework/program/declare/declaration.hpp>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;
using Catch::Contains;
using Catch::Equals;

namespace {

double operations(const RunReport& report) {
  double sum = 0;
  for (const MemberReport& member : report.members) sum += member.operations;
  return sum;
}

double number(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) {
  return static_cast<double>(((i * 10 + j) * 10 + k) * 10 + l);
}

}  // namespace

TEST_CASE("a body gets all of the inner dimensions, and every point once") {
  Session session = make_session();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {1, 3}) {
      INFO(panels << " panels");
      Program program(session, "points", options(session, kind, panels));
      const Domain plane = program.domain("plane", {7, 3});
      const Domain space = program.domain("space", {5, 4, 2});
      const auto a = program.array<double>("a", {7, 3}, Distributed::over(plane).and_at(0));
      const auto b = program.array<double>("b", {7, 3, 2}, Distributed::over(plane).and_at(0));
      const auto c = program.array<double>("c", {5, 4, 2}, Distributed::over(space).and_at(0));
      const auto d = program.array<double>("d", {5, 4, 2, 3}, Distributed::over(space).and_at(0));
      const auto points = program.partial<std::int64_t>("points", Reduce::sum);
      const auto in_place = program.partial<std::int64_t>("in place", Reduce::min);
      program.compute("plane", plane, any(2), writes(a), writes(b), combines(points), combines(in_place),
                      [](const Range& range, auto of_a, auto of_b, std::int64_t& count, std::int64_t& good) {
                        count += range.size();
                        const bool whole = range.first(1) == 0 && range.end(1) == 3 && range.count(2) == 1;
                        good = std::min<std::int64_t>(good, whole && of_a.extent(0) == range.count());
                        for (std::int64_t i = range.first(); i < range.end(); ++i) {
                          for (std::int64_t j = range.first(1); j < range.end(1); ++j) {
                            of_a(i, j) = number(i, j, 0, 0);
                            for (std::int64_t k = 0; k < 2; ++k) of_b(i, j, k) = number(i, j, k, 0);
                          }
                        }
                      });
      program.compute("space", space, any(5), writes(c), writes(d), combines(points),
                      [](const Range& range, auto of_c, auto of_d, std::int64_t& count) {
                        count += range.size();
                        for (std::int64_t i = range.first(); i < range.end(); ++i) {
                          for (std::int64_t j = range.first(1); j < range.end(1); ++j) {
                            for (std::int64_t k = range.first(2); k < range.end(2); ++k) {
                              of_c(i, j, k) = number(i, j, k, 0);
                              for (std::int64_t l = 0; l < 3; ++l) of_d(i, j, k, l) = number(i, j, k, l);
                            }
                          }
                        }
                      });
      program.allreduce(points);
      program.allreduce(in_place);
      for (const AnyArray array : {AnyArray(a), AnyArray(b), AnyArray(c), AnyArray(d)}) program.gatherv(array);
      const RunReport report = program.run();
      CHECK(agreed(program.local(points) == 7 * 3 + 5 * 4 * 2 && program.local(in_place) == 1));
      CHECK(agreed(operations(report) == 2 * 7 * 3 + 5 * 5 * 4 * 2));
      CHECK(agreed(report.members[0].items.size() == 2));
      const auto holds = [&](const auto& array, std::int64_t y, std::int64_t z, std::int64_t w) {
        const std::span<const double> found = program.local(array);
        bool right = true;
        for (std::size_t at = 0; at < found.size(); ++at) {
          const auto i = static_cast<std::int64_t>(at);
          right = right && found[at] == number(i / (y * z * w), i / (z * w) % y, i / w % z, i % w);
        }
        return agreed(right && found.empty() == (session.rank() != 0));
      };
      CHECK(holds(a, 3, 1, 1));
      CHECK(holds(b, 3, 2, 1));
      CHECK(holds(c, 4, 2, 1));
      CHECK(holds(d, 4, 2, 3));
    }
  }
}

TEST_CASE("each_of_mine and farms go over points") {
  Session session = make_session();
  Program program(session, "over", options(session));
  const Domain plane = program.domain("plane", {9, 4}, {.grain = 2});
  const auto a = program.array<double>("a", {9, 4}, Distributed::over(plane));
  const auto found = program.array<double>("found", {9, 4}, Distributed::over(plane).and_at(0));
  const auto all = program.array<double>("all", {9, 4}, Distributed::everywhere());
  const auto fill = [](const Range& range, auto view) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      for (std::int64_t j = range.first(1); j < range.end(1); ++j) view(i, j) = number(i, j, 1, 1);
    }
  };
  program.farm("farm", plane, any(3), writes(found), fill);
  program.move(a, all);
  program.prepare();
  program.each_of_mine(plane, writes(a), fill);
  const RunReport report = program.run();
  std::vector<double> expected(36);
  fill(Range(0, 9, {9, 4, 1}), View<double, 2>(expected.data(), 0, {9, 4}));
  CHECK(agreed(std::ranges::equal(program.local(all), expected)));
  CHECK(agreed(session.rank() != 0 || std::ranges::equal(program.local(found), expected)));
  CHECK(agreed(operations(report) == 3 * 36));
}

TEST_CASE("a halo of a domain of more dimensions is rows of it") {
  Session session = make_session();
  constexpr std::int64_t n = 12;
  for (const int panels : {1, 2}) {
    Program program(session, "halo", options(session, Kind::tombolo, panels));
    const Domain space = program.domain("space", {n, 2, 3});
    const auto a = program.array<double>("a", {n, 2, 3}, Distributed::over(space).with_halo(2));
    const auto b = program.array<double>("b", {n, 2, 3}, Distributed::over(space));
    program.halo(a);
    program.compute("add", space, any(), around(a), writes(b), [](const Range& range, auto from, auto to) {
      for (std::int64_t i = range.first(); i < range.end(); ++i) {
        for (std::int64_t j = 0; j < 2; ++j) {
          for (std::int64_t k = 0; k < 3; ++k) {
            to(i, j, k) = (i >= 2 ? from(i - 2, j, k) : 0) + (i + 2 < n ? from(i + 2, 1 - j, 2 - k) : 0);
          }
        }
      }
    });
    program.prepare();
    program.each_of_mine(space, writes(a), [](const Range& range, auto of_a) {
      for (std::int64_t i = range.first(); i < range.end(); ++i) {
        for (std::int64_t j = 0; j < 2; ++j) {
          for (std::int64_t k = 0; k < 3; ++k) of_a(i, j, k) = number(i, j, k, 1);
        }
      }
    });
    program.run();
    bool right = true;
    program.each_of_mine(space, reads(b), [&](const Range& range, auto of_b) {
      for (std::int64_t i = range.first(); i < range.end(); ++i) {
        for (std::int64_t j = 0; j < 2; ++j) {
          for (std::int64_t k = 0; k < 3; ++k) {
            const double above = i >= 2 ? number(i - 2, j, k, 1) : 0;
            const double below = i + 2 < n ? number(i + 2, 1 - j, 2 - k, 1) : 0;
            right = right && of_b(i, j, k) == above + below;
          }
        }
      }
    });
    CHECK(agreed(right));
  }
}

TEST_CASE("weights are of the first dimension, operations of a point of weight 1") {
  Session session = make_session();
  Program program(session, "weights", options(session));
  const Domain plane = program.domain("plane", {6, 5}, {.weights = {1, 2, 3, 4, 5, 0}});
  const auto a = program.array<double>("a", {6, 5}, Distributed::over(plane));
  program.compute("work", plane, any(7), writes(a), [](const Range&, auto) {});
  CHECK(agreed(operations(program.run()) == 7 * 5 * (1 + 2 + 3 + 4 + 5)));
  Program wrong(session, "wrong", options(session));
  wrong.domain("plane", {6, 5}, {.weights = std::vector<std::int64_t>(30, 1)});
  CHECK_THAT(agreed_error([&] { wrong.plan(); }), Contains("plane are 6 items and have 30 weights"));
}

TEST_CASE("what an item adds to the size of a problem is of a point") {
  Session session = make_session();
  Program program(session, "sizes", options(session));
  const Domain plane = program.domain("plane", {6, 5});
  const auto a = program.array<double>("a", {6, 5}, Distributed::over(plane));
  program.compute("work", plane, {.kernel = "any", .operations = 1, .size = 2}, writes(a), [](const Range&, auto) {});
  CHECK(program.declaration().tasks[0].size == 10);
}

TEST_CASE("domains of no points are done and reported") {
  Session session = make_session();
  for (const auto& [rows, columns] : {std::pair{4, 0}, {0, 4}, {0, 0}}) {
    INFO(rows << " x " << columns);
    Program program(session, "nothing", options(session));
    const Domain plane = program.domain("plane", {rows, columns});
    const auto a = program.array<double>("a", {rows, columns}, Distributed::over(plane).and_at(0));
    program.scatterv(a);
    program.compute("work", plane, any(), updates(a), [](const Range&, auto) {});
    program.gatherv(a);
    CHECK(agreed(operations(program.run()) == 0));
  }
}

TEST_CASE("an array over a domain has its extents first") {
  Session session = make_session();
  Program program(session, "wrong", options(session));
  const Domain plane = program.domain("plane", {6, 5});
  const Distributed over = Distributed::over(plane);
  const std::string words = " and plane is 6 x 5 x 1 items; an array over a domain has the domain's extents first";
  CHECK_THAT(words_of([&] { program.array<double>("a", {6}, over); }), Contains("a is 6" + words));
  CHECK_THAT(words_of([&] { program.array<double>("a", {5, 6}, over); }), Contains("a is 5 x 6" + words));
  CHECK_THAT(words_of([&] { program.array<double>("a", {6, 5, 2}, over); }), Equals(""));
  program.domain("negative", {3, -1});
  CHECK_THAT(agreed_error([&] { program.plan(); }), Contains("negative are 3 x -1 x 1 items"));
}
