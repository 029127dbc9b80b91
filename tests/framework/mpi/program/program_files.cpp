#include <numeric>

#include <catch2/catch.hpp>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/framework/mpi/shape_in_file.hpp>

#include "framework/mpi/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

using Shares = std::vector<std::int64_t>;

// All items on this rank.
Shares all_on(Rank rank, int ranks, std::int64_t items) {
  Shares shares(static_cast<std::size_t>(ranks), 0);
  shares[static_cast<std::size_t>(rank)] = items;
  return shares;
}

Shares uneven(int ranks, std::int64_t items) {
  Shares shares(static_cast<std::size_t>(ranks), 0);
  for (std::int64_t i = 0; i < items; ++i) ++shares[static_cast<std::size_t>(i * i % ranks)];
  return shares;
}

std::vector<Held> ways(Slices rows, Rank last) {
  return {Held::by(rows), Held::by(rows).with_halo(2), Held::by(rows).and_at(last),
          Held::at(last), Held::everywhere(),          Held::by(rows).and_everywhere()};
}
constexpr std::size_t number_of_ways = 6;

// Writes a matrix that is held in one way and reads it as it is held in another one.
bool survives(Session& session, const std::string& path, MatrixShape shape, std::size_t way, const Shares& shares) {
  Program writer(session, "writer");
  const Slices rows = writer.slices("rows", shape.rows, {.given = shares});
  const auto from = writer.array<double>("from", shape, ways(rows, session.ranks() - 1)[way]);
  writer.prepare();
  const bool whole = from.whole();
  const std::int64_t first = whole ? 0 : writer.mine(rows).first * shape.columns;
  std::iota(from.data(), from.data() + from.size(), static_cast<double>(first));
  writer.write(from, path);

  Program reader(session, "reader");
  const Slices others = reader.slices("rows", shape.rows, {.given = all_on(0, session.ranks(), shape.rows)});
  const auto to = reader.array<double>("to", shape, Held::by(others));
  reader.read(to, path);
  std::vector<double> expected(static_cast<std::size_t>(to.size()));
  std::iota(expected.begin(), expected.end(), 0.0);
  return shape_in_file(session.communicator(), path) == shape &&
         std::equal(expected.begin(), expected.end(), to.data());
}

}  // namespace

TEST_CASE("an array is written and read, however it is held") {
  Session session = test::make_session();
  const test::SharedFolder folder;
  for (const MatrixShape& shape : {MatrixShape{13, 3}, MatrixShape{1, 1}, MatrixShape{0, 4}, MatrixShape{5, 0}}) {
    for (std::size_t way = 0; way < number_of_ways; ++way) {
      CAPTURE(shape.rows, shape.columns, way);
      CHECK(agreed(survives(session, folder / "a.npy", shape, way, uneven(session.ranks(), shape.rows))));
    }
  }
}

TEST_CASE("ranks that take no part wait for those that read") {
  Session session = test::make_session();
  const test::SharedFolder folder;
  ProgramOptions options;
  options.speeds["dgemm"] = Shares(static_cast<std::size_t>(session.ranks()), 1'000'000);
  options.speeds["dgemm"][0] = 1'000'000'000'000;
  Program program(session, "some", options);
  const Slices rows = program.slices("rows", 20);
  const auto a = program.array<float>("a", {20, 2}, Held::by(rows));
  const auto sum = program.number<double>("sum");
  const ComputeOptions filling{.over = rows, .kernel = "dgemm", .operations = 1000, .writes = {a}, .partial = {sum}};
  program.repeat("pass", 100, [&] {
    program.compute("fill", filling, [=](const Slice& s) {
      std::iota(a.at(s), a.at(s) + 2 * s.count, static_cast<float>(2 * s.first));
    });
    program.allreduce(sum, MPI_SUM);  // which takes longer than to fill them alone
  });
  program.run();
  CHECK(agreed(program.takes_part() == (session.rank() == 0)));
  program.write(a, folder / "a.npy");
  a.fill(0);
  program.read(a, folder / "a.npy");
  CHECK(agreed(!program.takes_part() || a.data()[a.size() - 1] == 39));
}

TEST_CASE("what is wrong with a file is known to all") {
  Session session = test::make_session();
  const test::SharedFolder folder;
  Program program(session, "program");
  const Slices rows = program.slices("rows", 4);
  const auto a = program.array<double>("a", {4, 2}, Held::by(rows));
  CHECK_THROWS_AS(program.read(a, folder / "missing.npy"), AgreedError);
  CHECK_THROWS_AS(program.write(a, folder / "missing/a.npy"), AgreedError);
  CHECK_THROWS_AS(shape_in_file(session.communicator(), folder / "missing.npy"), AgreedError);
}
