#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/kernel.hpp>
#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/framework/partition/kernels/built_in_kernels.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

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
#define TOMBOLO_KERNEL(name) add(name());
#include <tombolo/framework/partition/kernels/built_in_kernels.def>
#undef TOMBOLO_KERNEL
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
