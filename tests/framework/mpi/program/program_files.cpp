#include <numeric>

#include <tombolo/move.hpp>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

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

// The first two leave every rank its own items, the others begin as a whole.
std::vector<Distributed> ways(Domain rows, Rank last) {
  const auto over = Distributed::over(rows);
  return {over,
          over.with_halo(2),
          over.and_at(last),
          Distributed::at(last),
          Distributed::everywhere(),
          over.and_everywhere()};
}
constexpr std::size_t number_of_ways = 6;

// Writes a matrix that is held in one way and reads it as it is held in another one.
bool survives(Session& session, const std::string& path, MatrixShape shape, std::size_t way, const Shares& shares) {
  Program writer(session, "writer");
  const Domain rows = writer.domain("rows", shape.rows, {.given = shares});
  const auto from = writer.array<double>("from", {shape.rows, shape.columns}, ways(rows, session.ranks() - 1)[way]);
  writer.prepare();
  const std::int64_t first = way < 2 ? writer.mine(rows).first() * shape.columns : 0;
  std::iota(writer.local(from).begin(), writer.local(from).end(), static_cast<double>(first));
  writer.write(from, path);

  Program reader(session, "reader");
  const Domain others = reader.domain("rows", shape.rows, {.given = all_on(0, session.ranks(), shape.rows)});
  const auto to = reader.array<double>("to", {shape.rows, shape.columns}, Distributed::over(others));
  reader.read(to, path);
  std::vector<double> expected(reader.local(to).size());
  std::iota(expected.begin(), expected.end(), 0.0);
  return shape_in_file(session.communicator(), path) == shape && std::ranges::equal(expected, reader.local(to));
}

}  // namespace

TEST_CASE("an array is written and read, however it is held") {
  Session session = make_session();
  const SharedFolder folder;
  for (const MatrixShape& shape : {MatrixShape{13, 3}, MatrixShape{1, 1}, MatrixShape{0, 4}, MatrixShape{5, 0}}) {
    for (std::size_t way = 0; way < number_of_ways; ++way) {
      CAPTURE(shape.rows, shape.columns, way);
      CHECK(agreed(survives(session, folder / "a.npy", shape, way, uneven(session.ranks(), shape.rows))));
    }
  }
}

TEST_CASE("ranks that take no part wait for those that read") {
  Session session = make_session();
  const SharedFolder folder;
  Program program(session, "some", options_of_one(session, 0));
  const Domain rows = program.domain("rows", 20);
  const auto a = program.array<float>("a", {20, 2}, Distributed::over(rows));
  const auto sum = program.partial<double>("sum", Reduce::sum);
  program.repeat("pass", 100, [&] {
    program.compute("fill", rows, any(1000), writes(a), combines(sum), [](const Range& range, auto of_a, double&) {
      std::iota(of_a.begin(), of_a.end(), static_cast<float>(2 * range.first()));
    });
    program.allreduce(sum);  // which takes longer than to fill them alone
  });
  program.run();
  CHECK(agreed(program.takes_part() == (session.rank() == 0)));
  program.write(a, folder / "a.npy");
  program.fill(a, 0.0F);
  program.read(a, folder / "a.npy");
  CHECK(agreed(!program.takes_part() || program.local(a).back() == 39));
}

TEST_CASE("what is wrong with a file is known to all") {
  Session session = make_session();
  const SharedFolder folder;
  Program program(session, "program");
  const Domain rows = program.domain("rows", 4);
  const auto a = program.array<double>("a", {4, 2}, Distributed::over(rows));
  CHECK_THROWS_AS(program.read(a, folder / "missing.npy"), AgreedError);
  CHECK_THROWS_AS(program.write(a, folder / "missing/a.npy"), AgreedError);
  CHECK_THROWS_AS(shape_in_file(session.communicator(), folder / "missing.npy"), AgreedError);
}
