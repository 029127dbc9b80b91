#include "predict/speeds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/shares.hpp>

namespace tombolo::predicting {

namespace {

/// The speeds of a kernel that a platform has stored, at a size; empty if there are none.
std::vector<std::int64_t> stored(const Platform& platform, const std::string& kernel, std::int64_t size) {
  std::vector<std::int64_t> speeds;
  const auto all = stored_kernels(platform);
  const auto found = all.find(kernel);
  if (found == all.end()) return speeds;
  for (const SpeedFunction& of_rank : found->second.by_rank) speeds.push_back(of_rank.at(size));
  return speeds;
}

/// Returns the speed of a processor at products of size x size, as discovery measures it; 0 if it was not measured.
FlopsPerSecond compute_speed(const Processor& processor, std::int64_t size) {
  return processor.speeds.empty() ? processor.speed : SpeedFunction(processor.speeds).at(size);
}

void check(const Session& imagined, const std::vector<std::int64_t>& speeds, const char* what, const char* remedy) {
  const auto slow = std::find_if(speeds.begin(), speeds.end(), [](std::int64_t speed) { return speed <= 0; });
  if (slow == speeds.end()) return;
  const auto rank = static_cast<std::size_t>(slow - speeds.begin());
  throw Error(fmt::format("{} has no {} for rank {} on {}", printable(imagined.platform_source()), what, rank,
                          printable(imagined.processors()[rank].host)),
              remedy);
}

}  // namespace

Speeds gemm_speeds(const Session& imagined, ElementType type, const GemmShape& product) {
  const Platform& platform = imagined.platform();
  const GemmShape probe = gemm_probe_shape(product);
  const std::int64_t size = std::max<std::int64_t>(std::llround(std::cbrt(flops(probe) / 2)), 1);
  const std::string kernel = type == ElementType::float32 ? "sgemm" : "dgemm";
  Speeds speeds{stored(platform, kernel, size), "kernel " + kernel};
  if (speeds.of_ranks.empty()) {
    for (const Processor& processor : platform.processors) speeds.of_ranks.push_back(compute_speed(processor, size));
    speeds.source = "speed_flops of the processors";
    if (type == ElementType::float32 && !platform.origin.simulated) {
      speeds.source += ", of products of float64, as kernel sgemm was not measured";
    }
  }
  check(imagined, speeds.of_ranks, "speed of products of matrices",
        "write the speed_flops of each processor into it, or measure it there: tombolo discover -o FILE.json");
  return speeds;
}

Speeds transpose_speeds(const Session& imagined, ElementType type, const MatrixShape& part) {
  const Platform& platform = imagined.platform();
  const Bytes element = element_info(type).bytes;
  Speeds speeds;
  if (platform.origin.simulated) {
    for (const Processor& processor : platform.processors) {  // one thread transposes
      speeds.of_ranks.push_back(processor.speed / std::max(processor.threads, 1) * element);
    }
    speeds.source = "one operation for each element, as in simulations";
  } else {
    const MatrixShape probe = transpose_probe_shape(part, element);
    speeds = {stored(platform, "copy", probe.rows * probe.columns * element),
              "kernel copy: a transpose is slower than a copy, so packing may take several times as long"};
    if (speeds.of_ranks.empty()) {
      std::map<std::string, BytesPerSecond> memory;
      for (const Host& host : platform.hosts) memory[host.name] = host.memory.value;
      for (const Processor& processor : platform.processors) {
        speeds.of_ranks.push_back(memory[processor.host] / std::max(processor.ranks_on_host, 1));
      }
      speeds.source =
          "memory_bytes_per_s of the hosts: a transpose is slower than a copy, so packing may take several times as "
          "long";
    }
  }
  check(imagined, speeds.of_ranks, "speed of transposing",
        "write the memory_bytes_per_s of each host into it, or measure it there: tombolo discover -o FILE.json");
  return speeds;
}

}  // namespace tombolo::predicting
