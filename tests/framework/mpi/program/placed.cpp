// Computations on arrays with distributions of their own: what a rank needs of them is copied to it before.
#include <algorithm>
#include <numeric>

#include <tombolo/framework/partition/rectangles.hpp>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

constexpr std::int64_t height = 12;
constexpr std::int64_t width = 9;

std::vector<Rank> each_its_own(int ranks) {
  std::vector<Rank> owners(static_cast<std::size_t>(ranks));
  std::iota(owners.begin(), owners.end(), 0);
  return owners;
}

Distribution by_rank(const std::vector<Part>& parts) {
  return Distribution::rectangles({height, width}, parts, each_its_own(static_cast<int>(parts.size())),
                                  static_cast<int>(parts.size()));
}

double value(std::int64_t row, std::int64_t column, int run) {
  return static_cast<double>(row * 100 + column + run * 7);
}

/// Each element of `sums` becomes the sum of its row, of which each rank gets what it needs; in two items a rank.
std::string sums_of_rows(Session& session, const ProgramOptions& options) {
  const int ranks = session.ranks();
  std::vector<FlopsPerSecond> speeds;
  for (int rank = 0; rank < ranks; ++rank) speeds.push_back(rank % 3 == 1 ? 0 : rank + 1);
  const std::vector<Part> parts = column_partition({height, width}, speeds);
  std::vector<Part> whole_rows;
  std::vector<std::int64_t> shares;
  for (const Part& part : parts) {
    whole_rows.push_back({part.first_row, part.rows, 0, part.elements() > 0 ? width : 0});
    shares.push_back(part.elements() > 0 ? 2 : 0);
  }
  std::vector<Part> of_items;
  for (const Part& part : parts) {
    if (part.elements() > 0) of_items.insert(of_items.end(), 2, part);
  }
  Program program(session, "sums", options);
  const Domain items =
      program.domain("items", std::accumulate(shares.begin(), shares.end(), std::int64_t{0}), {.given = shares});
  const auto x = program.array<double>("x", {height, width}, Distributed::as(by_rank(parts)));
  const auto rows = program.array<double>("rows", {height, width}, Distributed::as(by_rank(whole_rows)));
  const auto sums = program.array<double>("sums", {height, width}, Distributed::as(by_rank(parts)));
  program.move(x, rows);
  program.compute("sum", items, any(), reads(rows), updates(sums), [of_items](const Range& range, auto all, auto out) {
    for (std::int64_t item = range.first(); item < range.end(); ++item) {
      const Part& mine = of_items[static_cast<std::size_t>(item)];
      for (std::int64_t i = item % 2; i < mine.rows; i += 2) {
        double sum = 0;
        for (std::int64_t j = 0; j < width; ++j) sum += all(i * width + j, 0);
        for (std::int64_t j = 0; j < mine.columns; ++j) out(i * mine.columns + j, 0) = sum;
      }
    }
  });
  program.prepare();
  const Part& mine = parts[static_cast<std::size_t>(session.rank())];
  bool right = true;
  for (int run = 0; run < 2; ++run) {
    const auto own = program.refill(x);
    right = right && std::ssize(own) == mine.elements();
    for (std::int64_t i = 0; i < mine.elements(); ++i) {
      own[static_cast<std::size_t>(i)] =
          value(mine.first_row + i / mine.columns, mine.first_column + i % mine.columns, run);
    }
    program.run();
    const auto result = program.local(sums);
    right = right && std::ssize(result) == mine.elements();
    for (std::int64_t i = 0; right && i < mine.elements(); ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < width; ++j) sum += value(mine.first_row + i / mine.columns, j, run);
      right = result[static_cast<std::size_t>(i)] == sum;
    }
  }
  return agreed(right) ? "right" : program.explain();
}

}  // namespace

TEST_CASE("a computation reads copies that a move has brought") {
  Session session = make_session();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {0, 2}) CHECK(sums_of_rows(session, options(session, kind, panels)) == "right");
  }
}

TEST_CASE("arrays with a distribution of their own need shares that are given") {
  Session session = make_session();
  const auto refused = [&](const DomainOptions& domain, bool writing) {
    return same_words(words_of([&] {
      Program program(session, "refused", options(session));
      const Domain items = program.domain("items", session.ranks(), domain);
      const auto x = program.array<double>("x", {4, 4}, Distributed::as(Distribution::at(0, {4, 4}, session.ranks())));
      if (writing) {
        program.compute("touch", items, any(), writes(x), [](const Range&, auto) {});
      } else {
        program.compute("touch", items, any(), updates(x), [](const Range&, auto) {});
      }
      program.plan();
    }));
  };
  const std::vector<std::int64_t> one_each(static_cast<std::size_t>(session.ranks()), 1);
  CHECK(refused({.given = one_each}, false).empty());
  CHECK_THAT(refused({}, false), Catch::Contains("a distribution of its own"));
  CHECK_THAT(refused({.given = one_each}, true), Catch::Contains("read or update it"));
}
