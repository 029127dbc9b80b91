#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/matrix/gemm_lines.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

namespace {

template <class T>
std::vector<T> integers(std::int64_t rows, std::int64_t columns, std::uint64_t stream) {
  std::vector<T> values(static_cast<std::size_t>(rows * columns));
  fill_random(5, stream, 0, rows, columns, values.data());
  for (T& value : values) {  // whole numbers: every order of summation is exact
    if constexpr (std::is_floating_point_v<T>) {
      value = std::round(value * T{8});
    } else {
      value = {std::round(value.real() * 8), std::round(value.imag() * 8)};
    }
  }
  return values;
}

template <class T>
std::vector<T> naive(GemmShape s, const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> c(static_cast<std::size_t>(s.m * s.n), T{0});
  for (std::int64_t i = 0; i < s.m; ++i) {
    for (std::int64_t l = 0; l < s.k; ++l) {
      for (std::int64_t j = 0; j < s.n; ++j) {
        c[static_cast<std::size_t>(i * s.n + j)] +=
            a[static_cast<std::size_t>(i * s.k + l)] * b[static_cast<std::size_t>(l * s.n + j)];
      }
    }
  }
  return c;
}

template <class T>
T nan_of() {
  return T(std::numeric_limits<decltype(std::abs(T{}))>::quiet_NaN());
}

constexpr GemmShape shapes[] = {{1, 1, 1}, {3, 5, 7}, {17, 1, 31}, {1, 33, 9}, {40, 23, 1}, {64, 64, 64}, {65, 129, 33},
                                {0, 5, 7}, {5, 0, 7}, {5, 7, 0},   {0, 0, 0},  {1, 1, 500}, {200, 3, 2},  {9, 100, 11}};

}  // namespace

TEMPLATE_TEST_CASE("gemm equals the triple loop, at odd and at zero sizes", "", float, double, std::complex<float>,
                   std::complex<double>) {
  for (const GemmShape shape : shapes) {
    const auto a = integers<TestType>(shape.m, shape.k, 0);
    const auto b = integers<TestType>(shape.k, shape.n, 1);
    // What C held, even NaN, must not matter.
    std::vector<TestType> c(static_cast<std::size_t>(shape.m * shape.n), nan_of<TestType>());
    gemm(shape, a.data(), b.data(), c.data());
    INFO(shape.m << " x " << shape.n << " x " << shape.k);
    REQUIRE(c == naive(shape, a, b));
  }
}

TEMPLATE_TEST_CASE("gemm in pieces equals the triple loop, whichever dimension is too large", "", float, double,
                   std::complex<float>, std::complex<double>) {
  for (const std::int64_t largest : {1, 2, 7, 16, 32, 64}) {
    for (const GemmShape shape : shapes) {
      const auto a = integers<TestType>(shape.m, shape.k, 2);
      const auto b = integers<TestType>(shape.k, shape.n, 3);
      std::vector<TestType> c(static_cast<std::size_t>(shape.m * shape.n), nan_of<TestType>());
      gemm(shape, a.data(), b.data(), c.data(), largest);
      INFO(shape.m << " x " << shape.n << " x " << shape.k << " in pieces of " << largest);
      REQUIRE(c == naive(shape, a, b));
    }
  }
}

TEMPLATE_TEST_CASE("gemm_add adds the product to C", "", float, double, std::complex<float>, std::complex<double>) {
  for (const std::int64_t largest : {std::int64_t{7}, std::int64_t{1000}}) {
    for (const GemmShape shape : shapes) {
      const auto a = integers<TestType>(shape.m, shape.k, 4);
      const auto b = integers<TestType>(shape.k, shape.n, 5);
      auto c = integers<TestType>(shape.m, shape.n, 6);
      auto expected = naive(shape, a, b);
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += c[i];
      gemm_add(shape, a.data(), b.data(), c.data(), largest);
      INFO(shape.m << " x " << shape.n << " x " << shape.k << " in pieces of " << largest);
      REQUIRE(c == expected);
    }
  }
}

TEMPLATE_TEST_CASE("gemm_lines takes lines of any length, and factors", "", float, double, std::complex<float>,
                   std::complex<double>) {
  using T = TestType;
  for (const std::int64_t largest : {7, 1000}) {
    for (const GemmShape shape : shapes) {
      const auto a = integers<T>(shape.m, shape.k + 2, 4);
      const auto b = integers<T>(shape.k, shape.n + 1, 5);
      const auto before = integers<T>(shape.m, shape.n + 3, 6);
      for (const auto& [alpha, beta] : {std::pair{T{1}, T{0}}, {T{-2}, T{1}}, {T{3}, T{2}}}) {
        auto c = before;
        auto expected = before;
        for (std::int64_t i = 0; i < shape.m; ++i) {
          for (std::int64_t j = 0; j < shape.n; ++j) {
            T sum = 0;
            for (std::int64_t l = 0; l < shape.k; ++l)
              sum += a[static_cast<std::size_t>(i * (shape.k + 2) + l)] *
                     b[static_cast<std::size_t>(l * (shape.n + 1) + j)];
            T& element = expected[static_cast<std::size_t>(i * (shape.n + 3) + j)];
            element = alpha * sum + beta * element;
            if (beta == T{0}) c[static_cast<std::size_t>(i * (shape.n + 3) + j)] = nan_of<T>();
          }
        }
        gemm_lines<T>(shape, alpha, {a.data(), shape.k + 2}, {b.data(), shape.n + 1}, beta, {c.data(), shape.n + 3},
                      largest);
        INFO(shape.m << " x " << shape.n << " x " << shape.k << " in pieces of " << largest);
        REQUIRE(c == expected);
      }
    }
  }
}

TEMPLATE_TEST_CASE("gemm_lines takes the conjugates of factors", "", std::complex<float>, std::complex<double>) {
  using T = TestType;
  const GemmShape shape{.m = 5, .n = 7, .k = 11};
  const auto a = integers<T>(shape.m, shape.k, 4);
  const auto b = integers<T>(shape.k, shape.n, 5);
  const auto conjugates = [](std::vector<T> values) {
    for (T& value : values) value = std::conj(value);
    return values;
  };
  for (const bool of_a : {false, true}) {
    for (const bool of_b : {false, true}) {
      std::vector<T> c(static_cast<std::size_t>(shape.m * shape.n));
      gemm_lines<T>(shape, T{1}, {a.data(), shape.k, of_a}, {b.data(), shape.n, of_b}, T{0}, {c.data(), shape.n});
      CHECK(c == naive(shape, of_a ? conjugates(a) : a, of_b ? conjugates(b) : b));
    }
  }
}

TEST_CASE("a gemm of negative size is an error") {
  double c = 0;
  CHECK_THROWS_AS(gemm<double>({-1, 2, 3}, nullptr, nullptr, &c), Error);
  CHECK_THROWS_AS(gemm<double>({1, -2, 3}, nullptr, nullptr, &c), Error);
  CHECK_THROWS_AS(gemm<double>({1, 2, -3}, nullptr, nullptr, &c), Error);
}

TEST_CASE("BLAS runs on the threads it is told to") {
  const int before = blas_threads();
  set_blas_threads(2);
  CHECK(blas_threads() == 2);
  set_blas_threads(1);
  CHECK(blas_threads() == 1);
  CHECK_THROWS_AS(set_blas_threads(0), Error);
  set_blas_threads(before);
}

TEST_CASE("the ranks of a host share its cores") {
  CHECK(threads_per_rank(8, 3) == 2);
  CHECK(threads_per_rank(8, 8) == 1);
  CHECK(threads_per_rank(2, 5) == 1);
  CHECK(threads_per_rank(0, 1) == 1);
  CHECK(threads_per_rank(64, 1) == 64);
  CHECK_THROWS_AS(threads_per_rank(8, 0), Error);
}
