// Products of matrices in any distributions against a product on one rank, in integers, which both compute exactly.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/mpi/arrays/distributed_product.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

#include "framework/arrays/distributions.hpp"
#include "framework/mpi/session/session_files.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;
using test::agreed;
using test::make_session;

namespace {

/// A matrix of small integers, the same on all ranks, row-major.
template <class T>
struct Whole {
  MatrixShape shape;
  std::vector<T> elements;

  T& at(std::int64_t row, std::int64_t column) {
    return elements[static_cast<std::size_t>(row * shape.columns + column)];
  }
  /// What a rank has in its memory.
  std::vector<T> held(const Distribution& distribution, Rank rank) {
    std::vector<T> values;
    for (const Part& part : distribution.parts(rank)) {
      const bool across = distribution.by_columns();
      for (std::int64_t x = 0; x < (across ? part.columns : part.rows); ++x) {
        for (std::int64_t y = 0; y < (across ? part.rows : part.columns); ++y)
          values.push_back(at(part.first_row + (across ? y : x), part.first_column + (across ? x : y)));
      }
    }
    return values;
  }
};

template <class T>
Whole<T> some_matrix(std::mt19937_64& random, MatrixShape shape) {
  Whole<T> matrix{shape, std::vector<T>(static_cast<std::size_t>(shape.rows * shape.columns))};
  const auto number = [&] { return static_cast<double>(random() % 9) - 4; };
  for (T& element : matrix.elements) {
    if constexpr (std::is_floating_point_v<T>) {
      element = static_cast<T>(number());
    } else {
      element = T(std::complex<double>(number(), number()));
    }
  }
  return matrix;
}

/// The sides of a product, and which of its factors lie transposed in memory.
struct Case {
  GemmShape shape;
  bool a_transposed = false;
  bool b_transposed = false;
  int alpha = 1;
  int beta = 0;
  bool a_conjugated = false;
  bool b_conjugated = false;
};

template <class T>
T value_of(T number, bool conjugated) {
  if constexpr (!std::is_floating_point_v<T>) {
    if (conjugated) return std::conj(number);
  }
  return number;
}

MatrixShape turned(MatrixShape shape, bool transposed) {
  return transposed ? MatrixShape{shape.columns, shape.rows} : shape;
}

template <class T>
Whole<T> product(const Case& one, Whole<T>& a, Whole<T>& b, Whole<T> c) {
  for (std::int64_t i = 0; i < one.shape.m; ++i) {
    for (std::int64_t j = 0; j < one.shape.n; ++j) {
      T sum = 0;
      for (std::int64_t l = 0; l < one.shape.k; ++l)
        sum += value_of(one.a_transposed ? a.at(l, i) : a.at(i, l), one.a_conjugated) *
               value_of(one.b_transposed ? b.at(j, l) : b.at(l, j), one.b_conjugated);
      c.at(i, j) = static_cast<T>(static_cast<float>(one.alpha)) * sum +
                   (one.beta == 0 ? T{0} : static_cast<T>(static_cast<float>(one.beta)) * c.at(i, j));
    }
  }
  return c;
}

template <class T>
bool multiplies_right(Session& session, Collectives& collectives, std::mt19937_64& random, const Case& one) {
  const auto [m, n, k] = one.shape;
  const Rank rank = session.rank();
  auto a = some_matrix<T>(random, turned({m, k}, one.a_transposed));
  auto b = some_matrix<T>(random, turned({k, n}, one.b_transposed));
  auto c = some_matrix<T>(random, {m, n});
  auto expected = product(one, a, b, c);
  if (one.beta == 0) c.elements.assign(c.elements.size(), T(std::numeric_limits<decltype(std::abs(T{}))>::quiet_NaN()));
  const auto any = [&](MatrixShape shape) {
    auto all = distributions(random, static_cast<int>(shape.rows), static_cast<int>(shape.columns), session.ranks());
    return all[random() % all.size()];
  };
  const Distribution of_a = any(a.shape);
  const Distribution of_b = any(b.shape);
  const Distribution of_c = any(c.shape);
  const auto my_a = a.held(of_a, rank);
  const auto my_b = b.held(of_b, rank);
  bool right = true;
  for (int call = 0; call < 2; ++call) {  // the second one has what the first one has prepared
    auto my_c = c.held(of_c, rank);
    multiply(session, collectives, static_cast<T>(static_cast<float>(one.alpha)),
             {of_a, my_a.data(), one.a_transposed, one.a_conjugated},
             {of_b, my_b.data(), one.b_transposed, one.b_conjugated}, static_cast<T>(static_cast<float>(one.beta)),
             of_c, my_c.data());
    right = my_c == expected.held(of_c, rank) && right;
  }
  return right;
}

const std::vector<GemmShape> shapes{{23, 19, 31}, {1, 40, 7}, {40, 1, 3},  {2, 2, 50}, {0, 4, 3},
                                    {4, 0, 3},    {5, 6, 0},  {64, 48, 1}, {1, 1, 1}};

}  // namespace

TEMPLATE_TEST_CASE("products of matrices in any distributions", "", float, double, std::complex<float>,
                   std::complex<double>) {
  Session session = make_session();
  std::mt19937_64 random(11);
  const auto native = session.make_collectives(Session::Kind::native);
  const auto planned = session.make_collectives(Session::Kind::tombolo);
  bool right = true;
  for (const GemmShape& shape : shapes) {
    for (const bool a_transposed : {false, true}) {
      for (const bool b_transposed : {false, true}) {
        for (const auto& [alpha, beta] : {std::pair{1, 0}, {2, 0}, {1, 1}, {-3, 2}, {0, 0}, {0, 3}}) {
          // Types differ in their kernels alone.
          if (random() % 4 >= (!std::is_same_v<TestType, double> ? 1U : session.ranks() > 3 ? 2U : 4U)) continue;
          Collectives& collectives = random() % 2 == 0 ? *native : *planned;
          right = multiplies_right<TestType>(
                      session, collectives, random,
                      {shape, a_transposed, b_transposed, alpha, beta, random() % 2 == 0, random() % 2 == 0}) &&
                  right;
        }
      }
    }
  }
  CHECK(agreed(right));
}

TEST_CASE("a product of larger matrices") {
  Session session = make_session();
  std::mt19937_64 random(12);
  const auto collectives = session.make_collectives(Session::Kind::tombolo);
  CHECK(agreed(multiplies_right<double>(session, *collectives, random, {{150, 210, 330}, false, true, 1, 0})));
}

TEST_CASE("block-cyclic matrices on grids of any ranks, some of which hold nothing") {
  Session session = make_session();
  std::mt19937_64 random(13);
  const auto collectives = session.make_collectives(Session::Kind::tombolo);
  bool right = true;
  for (int rows = 1; rows <= std::min(session.ranks(), 3); ++rows) {
    const GemmShape shape{.m = 40, .n = 30, .k = 50};
    auto a = some_matrix<double>(random, {shape.m, shape.k});
    auto b = some_matrix<double>(random, {shape.n, shape.k});
    auto c = some_matrix<double>(random, {shape.m, shape.n});
    auto expected = product({shape, false, true, 2, 1}, a, b, c);
    const BlockCyclic how{.block = {4, 16}, .grid_rows = rows, .grid_columns = session.ranks() / rows};
    const auto cyclic = [&](MatrixShape of) { return block_cyclic(of, how, session.ranks()); };
    const auto my_a = a.held(cyclic(a.shape), session.rank());
    const auto my_b = b.held(cyclic(b.shape), session.rank());
    auto my_c = c.held(cyclic(c.shape), session.rank());
    multiply(session, *collectives, 2.0, {cyclic(a.shape), my_a.data()}, {cyclic(b.shape), my_b.data(), true}, 1.0,
             cyclic(c.shape), my_c.data());
    right = my_c == expected.held(cyclic(c.shape), session.rank()) && right;
  }
  CHECK(agreed(right));
}

/// Ranks of which the first is said to be the fastest by far; so slow that their computing times are compared.
ProductRanks said_to_be_uneven(Session& session) {
  ProductRanks ranks{.speeds = std::vector<FlopsPerSecond>(static_cast<std::size_t>(session.ranks()), 1000),
                     .levels = session.find_platform().levels,
                     .time_of_moves = [](const Request&) { return Picoseconds{1}; }};
  ranks.speeds.front() = 20'000;
  return ranks;
}

TEST_CASE("products are divided anew where ranks are not as fast as measured") {
  Session session = make_session();
  const auto collectives = session.make_collectives(Session::Kind::native);
  const ProductPlace place{.collectives = *collectives,
                           .communicator = session.communicator(),
                           .ranks = [&](const GemmShape&) { return said_to_be_uneven(session); },
                           .session = &session};
  std::mt19937_64 random(14);
  const int size = machine::simulated() ? 300 : 120;
  auto a = some_matrix<double>(random, {size, size});
  auto b = some_matrix<double>(random, {size, size});
  auto c = some_matrix<double>(random, {size, size});
  auto expected = product({{size, size, size}}, a, b, c);
  const Distribution rows = Distribution::rows(equal_shares(size, session.ranks()), size);
  const auto my_a = a.held(rows, session.rank());
  const auto my_b = b.held(rows, session.rank());
  auto my_c = c.held(rows, session.rank());
  bool right = true;
  std::vector<double> times;
  for (int call = 0; call < 12; ++call) {
    MPI_Barrier(session.communicator());
    const double start = MPI_Wtime();
    std::fill(my_c.begin(), my_c.end(), -1);
    multiply_at<double>(place, {.a = rows, .b = rows, .c = rows}, 1.0, 0.0,
                        {.a = {my_a.data()}, .b = {my_b.data()}, .c = my_c.data()});
    MPI_Barrier(session.communicator());
    times.push_back(MPI_Wtime() - start);
    right = my_c == expected.held(rows, session.rank()) && right;
  }
  CHECK(agreed(right));
  if (machine::simulated() && session.ranks() > 1) CHECK(times.at(1) > 1.05 * times.back());
}

TEST_CASE("ranks that call other products are told so") {
  Session session = make_session();
  if (session.ranks() == 1) return;
  const auto collectives = session.make_collectives(Session::Kind::native);
  const bool last = session.rank() == session.ranks() - 1;
  std::vector<double> memory(36);
  const auto call = [&](double alpha, double beta, Rank root, bool transposed) {
    const Distribution held = Distribution::at(root, {6, 6}, session.ranks());
    multiply(session, *collectives, alpha, {held, memory.data(), transposed}, {held, memory.data()}, beta, held,
             memory.data());
  };
  const auto other = Contains(" where rank 0 multiplies ");
  CHECK_THROWS_WITH(call(last ? 0 : 1, 0, 0, false), other);
  CHECK_THROWS_WITH(call(1, last ? 0 : 1, 0, false), other);
  CHECK_THROWS_WITH(call(1, 0, last ? 0 : 1, false), other);
  CHECK_THROWS_WITH(call(1, 0, 0, last), other);
  std::vector<std::complex<double>> numbers(36);
  const Distribution held = Distribution::at(0, {6, 6}, session.ranks());
  const auto conjugate = [&](std::complex<double> alpha, bool conjugated) {
    multiply(session, *collectives, alpha, {held, numbers.data(), false, conjugated}, {held, numbers.data()}, 0.0, held,
             numbers.data());
  };
  CHECK_THROWS_WITH(conjugate({1, last ? 1.0 : 0.0}, false), other);
  CHECK_THROWS_WITH(conjugate(1, last), other);
}

TEST_CASE("a product refuses what does not fit together, on all ranks alike") {
  Session session = make_session();
  const int ranks = session.ranks();
  const auto collectives = session.make_collectives(Session::Kind::native);
  const auto at = [](MatrixShape shape, int of) { return Distribution::at(0, shape, of); };
  const auto refused = [&](const Distribution& a, const Distribution& b, const Distribution& c) {
    double nothing = 0;
    multiply(session, *collectives, 1.0, {a, &nothing}, {b, &nothing}, 0.0, c, &nothing);
  };
  CHECK_THROWS_WITH(refused(at({2, 3}, ranks), at({2, 3}, ranks), at({2, 3}, ranks)),
                    Contains("a product of 2 x 3 by 2 x 3 as a matrix of 2 x 3"));
  CHECK_THROWS_WITH(refused(at({2, 3}, ranks), at({3, 4}, ranks + 1), at({2, 4}, ranks)), Contains("in a session of"));
  const std::vector<Part> part{{0, 1, 0, 3}};
  const std::vector<Rank> owner{0};
  CHECK_THROWS_WITH(refused(Distribution::rectangles({2, 3}, part, owner, ranks), at({3, 4}, ranks), at({2, 4}, ranks)),
                    Contains("of which ranks have"));
}
