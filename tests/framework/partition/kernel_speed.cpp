#include <catch2/catch.hpp>

#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/platform/error.hpp>

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
    CHECK(speed >= 1);
    CHECK(speed < 100'000'000'000'000);  // no machine computes this fast: 2 m n k was counted once a call
  }
}

TEST_CASE("no speed can be measured on an empty product") {
  CHECK_THROWS_AS(measure_gemm_speed<double>({0, 5, 5}, 0), Error);
  CHECK_THROWS_AS(measure_gemm_speed<double>({5, 0, 5}, 0), Error);
  CHECK_THROWS_AS(measure_gemm_speed<double>({5, 5, 0}, 0), Error);
}
