
#include <catch2/catch.hpp>

#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/units.hpp>

#include "framework/elements.hpp"

using namespace tombolo;

TEST_CASE("a small product is its own probe") {
  for (const GemmShape shape : {GemmShape{1, 1, 1}, GemmShape{512, 512, 512}, GemmShape{100, 300, 7}}) {
    CHECK(gemm_probe_shape(shape) == shape);
  }
}

TEST_CASE("a probe stays inside its product, in bounded memory and work, and is not much below either bound") {
  for (const std::int64_t m : {0, 1, 9, 128, 1000, 4096, 1 << 30}) {
    for (const std::int64_t n : {0, 1, 9, 128, 1000, 4096, 1 << 30}) {
      for (const std::int64_t k : {0, 1, 9, 128, 1000, 4096, 1 << 30}) {
        const GemmShape product{m, n, k};
        const GemmShape probe = gemm_probe_shape(product);
        const auto elements = [](GemmShape s) { return s.m * s.k + s.k * s.n + s.m * s.n; };
        INFO(m << " x " << n << " x " << k << " probed by " << probe.m << " x " << probe.n << " x " << probe.k);
        REQUIRE(probe.m <= m);
        REQUIRE(probe.n <= n);
        REQUIRE(probe.k <= k);
        REQUIRE(elements(probe) <= 5'000'000);
        REQUIRE(flops(probe) <= 3.3e9);
        REQUIRE((m > 0 && n > 0 && k > 0) == (flops(probe) > 0));
        const bool whole = probe == product;
        const bool large = elements(probe) >= 1'000'000 || flops(probe) >= 0.8e9;
        REQUIRE((whole || large || m * n * k == 0));
      }
    }
  }
}

TEMPLATE_TEST_CASE("a measured speed is positive and calls are made for any shape", "", float, double) {
  for (const GemmShape shape : {GemmShape{1, 1, 1}, GemmShape{64, 96, 32}, GemmShape{3, 500, 1}}) {
    const FlopsPerSecond speed = measure_gemm_speed<TestType>(shape, 0.001);
    CHECK(speed > 10'000);               // four bytes in less than 0.4 ms
    CHECK(speed < 100'000'000'000'000);  // no machine computes this fast: 2 m n k was counted once a call
  }
}

TEST_CASE("no speed can be measured on an empty product") {
  CHECK_THROWS_AS(measure_gemm_speed<double>({0, 5, 5}, 0), Error);
  CHECK_THROWS_AS(measure_gemm_speed<double>({5, 0, 5}, 0), Error);
  CHECK_THROWS_AS(measure_gemm_speed<double>({5, 5, 0}, 0), Error);
}

TEST_CASE("a small slice is its own probe") {
  for (const MatrixShape slice : {MatrixShape{1, 1}, MatrixShape{512, 512}, MatrixShape{3, 300'000}}) {
    CHECK(transpose_probe_shape(slice, 16) == slice);
  }
}

TEST_CASE("a probe stays inside its slice and in bounded memory, and is long on both sides where the slice is") {
  for (const Bytes element : {4, 8, 16}) {
    for (const std::int64_t rows : {0, 1, 9, 128, 999, 4096, 1 << 30}) {
      for (const std::int64_t columns : {0, 1, 9, 128, 999, 4096, 1 << 30}) {
        const MatrixShape probe = transpose_probe_shape({rows, columns}, element);
        INFO(rows << " x " << columns << " probed by " << probe.rows << " x " << probe.columns);
        REQUIRE(probe.rows <= rows);
        REQUIRE(probe.columns <= columns);
        REQUIRE(probe.rows * probe.columns * element <= 32'000'000);
        REQUIRE((rows > 0 && columns > 0) == (probe.rows * probe.columns > 0));
        if (rows == 0 || columns == 0) continue;
        REQUIRE(probe.rows >= std::min<std::int64_t>(rows, 900));
        REQUIRE(probe.columns >= std::min<std::int64_t>(columns, 900));
        REQUIRE((probe == MatrixShape{rows, columns} || probe.rows * probe.columns * element >= 16'000'000));
      }
    }
  }
}

TEMPLATE_TEST_CASE("a measured speed of transposing is one that a machine has, whatever the shape", "",
                   TOMBOLO_ELEMENTS) {
  for (const MatrixShape shape : {MatrixShape{1, 1}, MatrixShape{64, 96}, MatrixShape{3, 500}}) {
    const BytesPerSecond speed = measure_transpose_speed<TestType>(shape, 0.001);
    CHECK(speed >= 1);
    CHECK(speed < 10'000'000'000'000);
  }
}

TEST_CASE("no speed of transposing can be measured on an empty matrix") {
  CHECK_THROWS_AS(measure_transpose_speed<double>({0, 5}, 0), Error);
  CHECK_THROWS_AS(measure_transpose_speed<double>({5, 0}, 0), Error);
}
