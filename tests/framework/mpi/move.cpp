// Matrices from one distribution to another, by MPI's own collectives and by planned ones.
#include <complex>
#include <memory>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/arrays.hpp>
#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/arrays/carry_out.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/units.hpp>

#include "collectives/mpi/world.hpp"
#include "framework/arrays/distributions.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::World;

namespace {

template <Element T>
bool moves_right(Collectives& collectives, const Redistribution& moves, ScratchPool& scratch) {
  const Rank rank = collectives.rank();
  const std::int64_t width = moves.from().shape().columns;
  const auto before = held_by<T>(moves.from(), rank, width);
  const auto expected = held_by<T>(moves.to(), rank, width, moves.transposed());
  std::vector<T> after(expected.size(), T(-1));
  move(collectives, moves, sizeof(T), mpi_type_of<T>(), before.data(), after.data(), scratch);
  return after == expected;
}

std::vector<std::unique_ptr<Collectives>> both() {
  std::vector<std::unique_ptr<Collectives>> all;
  all.push_back(std::make_unique<NativeCollectives>(MPI_COMM_WORLD));
  all.push_back(std::make_unique<PlannedCollectives>(
      MPI_COMM_WORLD, std::make_shared<Planner>(Hockney({.latency = 1'000'000, .rate = 1'000'000'000}))));
  return all;
}

}  // namespace

TEMPLATE_TEST_CASE("a matrix moves from any distribution to any other", "", float, double, std::complex<double>) {
  const World world;
  std::mt19937_64 random(5);
  ScratchPool scratch;
  const auto collectives = both();
  std::vector<std::pair<int, int>> shapes{{19, 14}, {1, 9}, {12, 1}, {0, 3}};
  // A simulation takes its time for every message, whatever the elements are.
  if (machine::simulated() && !std::is_same_v<TestType, double>) shapes.resize(1);
  for (const auto& [m, n] : shapes) {
    const auto targets = distributions(random, m, n, world.ranks);
    const auto turned = distributions(random, n, m, world.ranks);
    bool right = true;
    for (const Distribution& from : distributions(random, m, n, world.ranks)) {
      // Each method takes every source, and targets in turn: all pairs would be all plans.
      for (const auto& how : collectives) {
        const std::size_t k = random();
        for (std::size_t i = 0; i < 3; ++i) {
          right = moves_right<TestType>(*how, {from, targets[(k + i * 5) % targets.size()]}, scratch) && right;
          right = moves_right<TestType>(*how, {from, turned[(k + i * 7) % turned.size()], true}, scratch) && right;
        }
      }
    }
    CHECK(agreed(right));
  }
}

TEST_CASE("shares change, and what is larger than a message goes the same way") {
  const World world;
  std::mt19937_64 random(6);
  const auto collectives = both();
  ScratchPool scratch;
  Distribution now = Distribution::rows(random_shares(random, 700, world.ranks), 900);
  for (int change = 0; change < 3; ++change) {
    const Distribution next = Distribution::rows(random_shares(random, 700, world.ranks), 900);
    for (const auto& how : collectives) CHECK(agreed(moves_right<double>(*how, {now, next}, scratch)));
    now = next;
  }
  const Redistribution turned(now, Distribution::rows(random_shares(random, 900, world.ranks), 700), true);
  for (const auto& how : collectives) CHECK(agreed(moves_right<double>(*how, turned, scratch)));
}

TEST_CASE("a matrix is shared out, its shares change, and all get all of it, as in docs/arrays.md") {
  const World world;
  const int ranks = world.ranks;
  const std::int64_t n = 24;
  const auto shares = equal_shares(n, ranks);
  std::vector<std::int64_t> speeds(static_cast<std::size_t>(ranks), 5);
  speeds.front() = 3;  // as was measured in mid-run
  const auto new_shares = proportional_shares(n, speeds);
  NativeCollectives collectives(MPI_COMM_WORLD);
  const auto whole = Distribution::at(0, {n, n}, ranks);
  const auto a = held_by<double>(whole, world.rank, n);

  const auto rows = Distribution::rows(shares, n);
  const auto new_rows = Distribution::rows(new_shares, n);
  const auto everywhere = Distribution::everywhere({n, n}, ranks);
  std::vector<double> slice(static_cast<std::size_t>(rows.elements(world.rank)));
  std::vector<double> new_slice(static_cast<std::size_t>(new_rows.elements(world.rank)));
  std::vector<double> copy(static_cast<std::size_t>(n * n));
  // scatterv, alltoallv, allgatherv
  move(collectives, whole, rows, sizeof(double), MPI_DOUBLE, a.data(), slice.data());
  move(collectives, rows, new_rows, sizeof(double), MPI_DOUBLE, slice.data(), new_slice.data());
  move(collectives, new_rows, everywhere, sizeof(double), MPI_DOUBLE, new_slice.data(), copy.data());

  CHECK(agreed(copy == held_by<double>(Distribution::at(0, {n, n}, 1), 0, n)));
  transpose(collectives, rows, everywhere, sizeof(double), MPI_DOUBLE, slice.data(), copy.data());
  CHECK(agreed(copy == held_by<double>(Distribution::at(0, {n, n}, 1), 0, n, true)));
}

TEMPLATE_TEST_CASE("a matrix is transposed over the ranks in the memory of the first", "", float,
                   std::complex<double>) {
  static int argc = 0;
  static char** argv = nullptr;
  Session session(argc, argv);
  std::mt19937_64 random(7);
  NativeCollectives collectives(MPI_COMM_WORLD);
  bool right = true;
  for (const auto& [m, n] : {std::pair{61, 47}, {1, 9}, {30, 30}, {0, 5}}) {
    for (const auto& [a, b] : layout_pairs(random, m, n, session.ranks())) {
      if (!InPlaceTranspose::can_do(a, b)) {
        CHECK_THROWS_WITH(InPlaceTranspose(a, b, 0), Catch::Matchers::Contains("cut in two directions"));
        continue;
      }
      const InPlaceTranspose plan(a, b, session.rank());
      std::vector<TestType> buffer(static_cast<std::size_t>(plan.room()));
      std::vector<TestType> workspace(static_cast<std::size_t>(plan.workspace()));
      const auto before = held_by<TestType>(Distribution(a), session.rank(), n);
      const auto expected = held_by<TestType>(Distribution(b), session.rank(), n, true);
      std::copy(before.begin(), before.end(), buffer.begin() + plan.a_at());
      int stages = 0;
      transpose_in_place(session, collectives, plan, buffer.data(), workspace.data(), [&] { ++stages; });
      right = right && stages == 3 && plan.b_elements() == std::ssize(expected) &&
              std::equal(expected.begin(), expected.end(), buffer.begin());
      const InPlaceMemory memory = in_place_memory(a, b, session.rank());
      CHECK(memory.buffer == std::ssize(buffer));
      std::copy(before.begin(), before.end(), buffer.begin() + memory.a_at);
      transpose_in_place(session, collectives, a, b, buffer.data(), workspace.data());
      right = right && std::equal(expected.begin(), expected.end(), buffer.begin());
    }
  }
  CHECK(agreed(right));
}

TEST_CASE("a move refuses other ranks and other elements") {
  using Catch::Matchers::Contains;
  const World world;
  NativeCollectives native(MPI_COMM_WORLD);
  const auto at = [](Rank root, MatrixShape shape, int ranks) { return Distribution::at(root, shape, ranks); };
  const int more = world.ranks + 1;
  CHECK_THROWS_WITH(move(native, at(0, {1, 1}, more), at(1, {1, 1}, more), 8, MPI_DOUBLE, nullptr, nullptr),
                    Contains("to be moved among"));
  const Distribution none = at(0, {0, 1}, world.ranks);
  CHECK_THROWS_WITH(move(native, none, none, 4, MPI_DOUBLE, nullptr, nullptr), Contains("4 bytes in a type of 8"));
}
