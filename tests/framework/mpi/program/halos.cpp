// A plate whose elements become the mean of what is above and below them: the same as on one rank, bit for bit.
#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

struct Plate {
  std::int64_t rows = 0;
  std::int64_t columns = 3;
  std::int64_t halo = 1;
  std::int64_t passes = 4;
  bool rooted = false;  // scattered from a root and gathered at it
};

double begins(std::int64_t i) {
  return static_cast<double>(i * i % 17);
}

// Row `row` of the next plate from rows that lie one behind the other around `at`.
void next_row(const Plate& plate, std::int64_t row, const double* at, double* to) {
  for (std::int64_t j = 0; j < plate.columns; ++j) {
    double sum = 0;
    for (std::int64_t d = -plate.halo; d <= plate.halo; ++d) {
      if (row + d >= 0 && row + d < plate.rows) sum += at[d * plate.columns + j] / static_cast<double>(d + 10);
    }
    to[j] = sum;
  }
}

std::vector<double> alone(const Plate& plate) {
  std::vector<double> u;
  for (std::int64_t i = 0; i < plate.rows * plate.columns; ++i) u.push_back(begins(i));
  std::vector<double> v = u;
  for (std::int64_t pass = 0; pass < plate.passes; ++pass) {
    for (std::int64_t row = 0; row < plate.rows; ++row) {
      next_row(plate, row, u.data() + row * plate.columns, v.data() + row * plate.columns);
    }
    std::swap(u, v);
  }
  return u;
}

bool is_as_alone(Session& session, const Plate& plate, const ProgramOptions& options,
                 const std::vector<std::int64_t>& shares = {}) {
  const std::int64_t columns = plate.columns;
  const Rank root = session.ranks() - 1;
  Program program(session, "plate", options);
  const Domain rows = program.domain("rows", plate.rows, {.given = shares});
  const auto by_rows = Distributed::over(rows).with_halo(plate.halo);
  const auto distributed = plate.rooted ? by_rows.and_at(root) : by_rows;
  const auto u = program.array<double>("u", {plate.rows, columns}, distributed);
  const auto v = program.array<double>("v", {plate.rows, columns}, distributed);
  const auto end = program.array<double>("end", {plate.rows, columns}, Distributed::at(root));
  if (plate.rooted) program.scatterv(u);
  program.repeat("steps", plate.passes, [&] {
    program.halo(u);
    program.compute("step", rows, any(3.0 * static_cast<double>(columns)), around(u), writes(v),
                    [=](const Range& range, auto now, auto next) {
                      for (std::int64_t i = range.first(); i < range.end(); ++i) {
                        next_row(plate, i, now.row(i).data(), next.row(i).data());
                      }
                    });
    program.swap(u, v);
  });
  plate.rooted ? program.gatherv(u) : program.move(u, end);
  program.prepare();
  const auto begin = [=](const Range& range, auto now) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      for (std::int64_t j = 0; j < columns; ++j) now(i, j) = begins(i * columns + j);
    }
  };
  if (plate.rooted) {
    begin({0, session.rank() == root ? plate.rows : 0},
          View<double, 2>(program.local(u).data(), 0, {plate.rows, columns}));
  } else {
    program.each_of_mine(rows, writes(u), begin);
  }
  const RunReport report = program.run();
  const std::vector<double> expected = alone(plate);
  const std::span<const double> found = program.local(plate.rooted ? u : end);
  return agreed(session.rank() != root || std::equal(expected.begin(), expected.end(), found.begin(), found.end())) &&
         agreed(report.loops.at(0).passes == plate.passes && std::isfinite(report.predicted_s));
}

}  // namespace

TEST_CASE("a plate in slices is the plate, beside its halos or after them") {
  Session session = make_session();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {1, 2}) {  // with 2, though nothing can be cut, what is independent overlaps
      const ProgramOptions how = options(session, kind, panels);
      for (const std::int64_t rows : {0, 1, 3, 20}) {
        for (const std::int64_t halo : {1, 2}) {
          INFO(rows << " rows, halo " << halo << ", panels " << panels);
          const bool both = session.ranks() <= 3;  // else in turns
          const bool one = (rows == 1 || rows == 20) != ((halo == 1) != ((panels == 1) != (kind == Kind::native)));
          if (both || !one) CHECK(is_as_alone(session, {.rows = rows, .halo = halo}, how));
          if (both || one) CHECK(is_as_alone(session, {.rows = rows, .halo = halo, .passes = 1}, how));
        }
      }
      CHECK(is_as_alone(session, {.rows = 13, .halo = 2, .rooted = true}, how));
      CHECK(is_as_alone(session, {.rows = 3, .passes = 1, .rooted = true}, how));
      CHECK(is_as_alone(session, {.rows = 20, .halo = 7, .passes = 3}, how));
      CHECK(is_as_alone(session, {.rows = 20, .halo = 2, .passes = 5}, how, uneven_shares(20, session.ranks())));
      CHECK(is_as_alone(session, {.rows = 20, .passes = 0}, how));
    }
  }
}
