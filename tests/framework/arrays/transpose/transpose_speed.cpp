#include <complex>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/transpose/transpose_speed.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;

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

TEMPLATE_TEST_CASE("a measured speed of transposing is positive, whatever the shape", "", float, double,
                   std::complex<float>, std::complex<double>) {
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
