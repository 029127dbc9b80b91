#include <algorithm>
#include <chrono>
#include <limits>

#include <catch2/catch.hpp>

#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Catch::Contains;

TEST_CASE("every built-in kernel has a positive speed at any size") {
  const std::vector<std::string> names = kernel_names();
  CHECK(std::is_sorted(names.begin(), names.end()));
  for (const std::string name : {"cgemm", "copy", "dgemm", "sgemm", "stencil", "zgemm"}) {
    INFO(name);
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
    const Kernel& kernel = known_kernel(name);
    CHECK(&kernel == find_kernel(name));
    CHECK(kernel.name == name);
    CHECK(kernel.kept_as == name);
    CHECK((kernel.unit == "flop" || kernel.unit == "B"));
    for (const std::int64_t size : {1, 2, 3, 64, 101}) {
      const std::int64_t speed = kernel.measure(size, 0.001);
      CHECK(speed > 10'000);               // two operations in less than 0.2 ms
      CHECK(speed < 100'000'000'000'000);  // no core is as fast
    }
  }
}

TEST_CASE("a kernel of one's own is one function") {
  // docs/kernels.md shows this.
  const auto sum_of_squares = [](std::int64_t n) {
    volatile double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum = sum + static_cast<double>(i) * static_cast<double>(i);
    return 2.0 * static_cast<double>(n);
  };
  register_kernel(kernel_of("squares", "flop", {1000, 100'000}, sum_of_squares));
  const Kernel& kernel = known_kernel("squares");
  CHECK(kernel.sizes == std::vector<std::int64_t>{1000, 100'000});
  CHECK(kernel.kept_as == "test_framework/squares");
  Kernel shared = kernel_of("shared", "flop", {1}, sum_of_squares);
  shared.kept_as = "sums";
  register_kernel(shared);
  CHECK(known_kernel("shared").kept_as == "sums");
  const std::int64_t speed = kernel.measure(100'000, 0.01);
  CHECK(speed > 1'000'000);
  CHECK(speed < 100'000'000'000);
  CHECK_THROWS_WITH(register_kernel(kernel), Contains("squares already"));
  CHECK(find_kernel("squares") == &kernel);
}

TEST_CASE("a kernel is measured for about as long as asked") {
  using Clock = std::chrono::steady_clock;
  int calls = 0;
  const Kernel kernel = kernel_of("counted", "flop", {1}, [&](std::int64_t) {
    ++calls;
    return 1.0;
  });
  CHECK(kernel.measure(1, 0) > 1000);  // one operation in less than a millisecond
  CHECK(calls == 5);                   // to count operations, to warm up, three for the median
  const auto begin = Clock::now();
  kernel.measure(1, 0.05);
  CHECK(Clock::now() - begin >= std::chrono::milliseconds(50));
}

TEST_CASE("kernels that are none, and names that nobody has, are errors") {
  CHECK(find_kernel("nobody's") == nullptr);
  CHECK_THROWS_WITH(known_kernel("nobody's"), Contains("\"nobody's\"") && Contains("dgemm") && Contains("; "));
  const auto work = [](std::int64_t) { return 1.0; };
  CHECK_THROWS_AS(register_kernel(kernel_of("dgemm", "flop", {1}, work)), Error);
  for (const std::string name : {"", "all", "a b", "a,b", "a\nb"}) {
    CHECK_THROWS_AS(register_kernel(kernel_of(name, "flop", {1}, work)), Error);
  }
  CHECK_THROWS_WITH(register_kernel(kernel_of("x", "flop", {}, work)), Contains("no sizes"));
  CHECK_THROWS_WITH(register_kernel(kernel_of("x", "flop", {0, 1}, work)), Contains("size 0"));
  CHECK_THROWS_WITH(register_kernel(kernel_of("x", "flop", {2, 2}, work)), Contains("size 2 at place 1"));
  CHECK_THROWS_WITH(register_kernel({.name = "x", .unit = "flop", .sizes = {1}, .measure = {}}), Contains("nothing"));
  CHECK(find_kernel("x") == nullptr);
  for (const double operations : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    const Kernel idle = kernel_of("idle", "flop", {1}, [operations](std::int64_t) { return operations; });
    CHECK_THROWS_WITH(idle.measure(1, 0), Contains("idle") && Contains("size 1"));
  }
}
