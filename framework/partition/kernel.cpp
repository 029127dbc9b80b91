#include <algorithm>
#include <cerrno>
#include <complex>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// The built-in kernels; registry() lists them.

/// A memory copy on one thread; size n: n bytes, each counted once.
Kernel copy_kernel() {
  const auto measure = [](std::int64_t size, double seconds_at_least) {
    const auto until = from_now(seconds_at_least);
    std::vector<char> from(static_cast<std::size_t>(size), 'a');
    std::vector<char> to(from.size());
    // The two buffers alternate, so that the compiler cannot drop a copy.
    const auto step = [&] {
      std::memcpy(to.data(), from.data(), from.size());
      from.swap(to);
    };
    return measure_call_rate(static_cast<double>(size), step, until);
  };
  return {.name = "copy", .unit = "B", .sizes = {1 << 14, 1 << 18, 1 << 22, 1 << 25}, .measure = measure};
}

/// C = A B by BLAS and its threads; size n: n x n by n x n, 2 n^3 flop, 8 n^3 where T is complex.
template <Element T>
Kernel gemm_kernel(const char* name) {
  return {.name = name,
          .unit = "flop",
          .sizes = {128, 256, 512, 1024, 2048},
          .measure = [](std::int64_t n, double seconds_at_least) {
            return measure_gemm_speed<T>({.m = n, .n = n, .k = n}, seconds_at_least);
          }};
}

constexpr double flops_per_point = 4;

/// One sweep over the points of an n x n plate; rows, with two border points, are n + 2 apart.
void sweep(std::size_t n, const double* from, double* to) {
  const std::size_t width = n + 2;
  for (std::size_t row = 1; row <= n; ++row) {
    const double* const here = from + row * width;
    double* const there = to + row * width;
    for (std::size_t column = 1; column <= n; ++column) {
      there[column] = 0.25 * (here[column - width] + here[column + width] + here[column - 1] + here[column + 1]);
    }
  }
}

std::int64_t measure_stencil(std::int64_t size, double seconds_at_least) {
  const auto until = from_now(seconds_at_least);
  const auto n = static_cast<std::size_t>(size);
  std::vector<double> one((n + 2) * (n + 2), 1.0);
  std::vector<double> other = one;
  const auto step = [&] {
    sweep(n, one.data(), other.data());
    one.swap(other);
  };
  return measure_call_rate(flops_per_point * static_cast<double>(n) * static_cast<double>(n), step, until);
}

/// Jacobi sweeps over a plate in double, each point the mean of its four neighbours, on one thread; size n: n x n
/// points, 4 n^2 flop a sweep. Memory-bound once two plates, 16 n^2 bytes, exceed the caches.
Kernel stencil_kernel() {
  return {.name = "stencil", .unit = "flop", .sizes = {64, 128, 256, 512, 1024, 2048}, .measure = measure_stencil};
}

void check(const Kernel& kernel) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  if (kernel.name.empty() || kernel.name == "all" || kernel.name.find_first_not_of(allowed) != std::string::npos) {
    throw Error(fmt::format("a kernel called {}", tombolo::quoted(kernel.name)),
                "call it something of letters, digits, '-', '_' and '.', but not all");
  }
  const auto refuse = [&](const std::string& cause, const char* remedy) {
    throw Error(fmt::format("kernel {}: {}", kernel.name, cause), remedy);
  };
  if (!kernel.measure) refuse("it measures nothing", "give it a function, or make it by kernel_of()");
  if (kernel.sizes.empty()) refuse("it has no sizes to measure at", "give one at least");
  for (std::size_t i = 0; i < kernel.sizes.size(); ++i) {
    if (kernel.sizes[i] < 1 || (i > 0 && kernel.sizes[i] <= kernel.sizes[i - 1])) {
      refuse(fmt::format("size {} at place {} of its sizes", kernel.sizes[i], i), "give ascending sizes of 1 or more");
    }
  }
}

/// A map, because its elements never move.
struct Registry {
  std::map<std::string, Kernel> kernels;
  std::mutex mutex;

  void add(Kernel kernel) {
    check(kernel);
    std::string name = kernel.name;
    if (!kernels.emplace(name, std::move(kernel)).second) {
      throw Error(fmt::format("there is a kernel {} already", name), "register it once, under a name of its own");
    }
  }
};

Registry& registry() {
  static Registry all;
  static const bool filled = [] {
    const auto add = [](Kernel kernel) {
      kernel.kept_as = kernel.name;
      all.add(std::move(kernel));
    };
    add(copy_kernel());
    add(gemm_kernel<double>("dgemm"));
    add(gemm_kernel<float>("sgemm"));
    add(gemm_kernel<std::complex<double>>("zgemm"));
    add(gemm_kernel<std::complex<float>>("cgemm"));
    add(stencil_kernel());
    return true;
  }();
  static_cast<void>(filled);
  return all;
}

}  // namespace

Kernel kernel_of(std::string name, std::string unit, std::vector<std::int64_t> sizes,
                 std::function<double(std::int64_t size)> work) {
  auto measure = [name, work = std::move(work)](std::int64_t size, double seconds_at_least) {
    const auto until = from_now(seconds_at_least);
    const double operations = work(size);
    if (!(operations > 0)) {
      throw Error(fmt::format("kernel {} did {} operations at size {}", name, operations, size),
                  "return the number of operations, above 0");
    }
    return measure_call_rate(
        operations, [&] { work(size); }, until);
  };
  return {.name = std::move(name), .unit = std::move(unit), .sizes = std::move(sizes), .measure = std::move(measure)};
}

const Kernel* find_kernel(const std::string& name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.kernels.find(name);
  return found == all.kernels.end() ? nullptr : &found->second;
}

const Kernel& known_kernel(const std::string& name) {
  if (const Kernel* const found = find_kernel(name)) return *found;
  std::string names;
  for (const std::string& known : kernel_names()) names += (names.empty() ? "" : ", ") + known;
  throw Error(fmt::format("no kernel is called {}", tombolo::quoted(name)),
              fmt::format("name one of {}, or register it before", names));
}

void register_kernel(Kernel kernel) {
  if (kernel.kept_as.empty()) kernel.kept_as = fmt::format("{}/{}", program_invocation_short_name, kernel.name);
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.add(std::move(kernel));
}

std::vector<std::string> kernel_names() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> names;
  for (const auto& [name, kernel] : all.kernels) names.push_back(name);
  return names;
}

}  // namespace tombolo
