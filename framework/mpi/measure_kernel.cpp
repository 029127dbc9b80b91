#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <tombolo/framework/mpi/session/measured_kernel.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/framework/partition/call_rate.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// The time per operation of a simulated processor does not depend on the problem size.
constexpr double simulated_operations = 4e6;
constexpr double too_long = 2;

/// Returns the current conditions of the ranks: the same on all ranks, except `version` and `sizes`.
KernelConditions conditions_of(const RunPlatform& ranks, std::string version, std::vector<std::int64_t> sizes) {
  KernelConditions now{.version = std::move(version), .sizes = std::move(sizes)};
  for (const Processor& processor : ranks.processors) now.threads.push_back(processor.threads);
  const std::int64_t millicores = std::llround(1000 * machine::cores().quota);
  now.millicores = of_all_ranks(ranks.communicator, millicores);
  return now;
}

std::string kept_name(const std::string& kernel) {
  const Kernel* const known = find_kernel(kernel);
  return known != nullptr ? known->kept_as : kernel;
}

/// Measures the speeds at one size; 0 for ranks that skip the size.
class Measurer {
 public:
  Measurer(const RunPlatform& ranks, const Kernel& kernel, double seconds)
      : ranks_(&ranks), kernel_(&kernel), seconds_(measuring_seconds(seconds)) {}

  std::vector<std::int64_t> at(std::int64_t size) {
    std::exception_ptr failure;
    const auto measure = [&]() -> std::int64_t {
      if (left_out_) return 0;
      const Picoseconds begin = machine::now();
      try {
        const std::int64_t speed = kernel_->measure(size, seconds_);
        left_out_ = seconds(machine::now() - begin) > too_long * seconds_;
        return std::max<std::int64_t>(speed, 1);
      } catch (...) {
        failure = std::current_exception();
        return 0;
      }
    };
    std::vector<std::int64_t> speeds = ranks_->measure_rate(simulated_operations, simulated_operations, measure);
    agree(ranks_->communicator, [&] {
      if (failure) std::rethrow_exception(failure);
    });
    return speeds;
  }

 private:
  const RunPlatform* ranks_;
  const Kernel* kernel_;
  double seconds_;
  bool left_out_ = false;
};

void check_sizes(const Kernel& kernel, std::span<const std::int64_t> sizes) {
  const bool ascend = std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()) == sizes.end();
  if (sizes.empty() || sizes.front() < 1 || !ascend) {
    throw Error(fmt::format("sizes {} to measure kernel {} at", fmt::join(sizes, ", "), kernel.name),
                "give one or more, ascending from 1 on");
  }
}

std::vector<SpeedFunction> measure(const RunPlatform& ranks, const Kernel& kernel, std::span<const std::int64_t> sizes,
                                   double seconds_per_size) {
  agree(ranks.communicator, [&] { check_sizes(kernel, sizes); });
  if (machine::simulated()) sizes = sizes.first(1);
  std::vector<std::vector<SpeedPoint>> points(ranks.processors.size());
  Measurer measurer(ranks, kernel, seconds_per_size);
  for (const std::int64_t size : sizes) {
    const std::vector<std::int64_t> speeds = measurer.at(size);
    for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
      if (speeds[rank] > 0) points[rank].push_back({.size = size, .speed = speeds[rank]});
    }
    if (std::all_of(speeds.begin(), speeds.end(), [](std::int64_t speed) { return speed == 0; })) break;
  }
  std::vector<SpeedFunction> functions;
  for (auto& of_rank : points) functions.emplace_back(std::move(of_rank));
  return functions;
}

KernelSpeeds measured(const RunPlatform& ranks, const Kernel& kernel, double seconds_per_size) {
  // No date in a simulation, so that its output is the same every day.
  std::string date = machine::simulated() ? "" : fmt::format("{:%F}", fmt::gmtime(std::time(nullptr)));
  KernelSpeeds speeds{.unit = kernel.unit,
                      .conditions = conditions_of(ranks, kernel.version, kernel.sizes),
                      .date = text_from(ranks.communicator, 0, std::move(date))};
  speeds.by_rank = measure(ranks, kernel, kernel.sizes, seconds_per_size);
  return speeds;
}

}  // namespace

std::vector<SpeedFunction> measure_kernel(Session& session, const Kernel& kernel, std::span<const std::int64_t> sizes,
                                          double seconds_per_size) {
  check_same_call(session.communicator(), "measures speeds");
  return measure(machines_of(session), kernel, sizes, seconds_per_size);
}

KernelSpeeds measured_kernel(Session& session, const Kernel& kernel, double seconds_per_size) {
  check_same_call(session.communicator(), "measures speeds");
  return measured(machines_of(session), kernel, seconds_per_size);
}

std::vector<SpeedFunction> speeds_of(Session& session, const std::string& kernel) {
  return speeds_of(machines_of(session), kernel);
}

std::vector<SpeedFunction> speeds_of(RunPlatform& ranks, const std::string& kernel) {
  const Platform& platform = ranks.find();
  const std::string kept_as = text_from(ranks.communicator, 0, kept_name(kernel));
  const Kernel* const known = find_kernel(kernel);
  KernelSpeeds speeds;
  agree(ranks.communicator, [&] {
    const auto all = stored_kernels(platform);
    if (const auto found = all.find(kept_as); found != all.end()) speeds = found->second;
  });
  if (ranks.imagined) {
    if (!speeds.by_rank.empty()) return std::move(speeds.by_rank);
    throw Error(fmt::format("{} has no speeds of kernel {}", printable(ranks.platform_source), kernel),
                fmt::format("measure them there: tombolo discover --kernels {} -o FILE", kernel));
  }
  const KernelConditions kept = speeds.conditions;
  const auto now = conditions_of(ranks, known ? known->version : kept.version, known ? known->sizes : kept.sizes);
  const std::vector<int> hold = of_all_ranks(ranks.communicator, hold_for(kept, now) ? 1 : 0);
  if (std::find(hold.begin(), hold.end(), 0) != hold.end()) {
    agree(ranks.communicator, [&] { known_kernel(kernel); });
    speeds = measured(ranks, *known, kernel_seconds);
    Platform with = platform;
    store_kernel(with, kept_as, speeds);
    ranks.remember(kernels_section, std::move(with.sections.at(kernels_section)));
  }
  return std::move(speeds.by_rank);
}

std::string when_measured(const Session& session, const std::string& kernel) {
  const auto all = stored_kernels(session.platform());
  const auto found = all.find(kept_name(kernel));
  return found == all.end() ? "" : when_measured(kernel, found->second);
}

void forget_speeds_of(Session& session, const std::string& kernel) {
  Platform without = session.find_platform();
  const std::string kept_as = text_from(session.communicator(), 0, kept_name(kernel));
  bool dropped = false;
  agree(session.communicator(), [&] { dropped = drop_kernel(without, kept_as); });
  if (dropped) session.remember(kernels_section, std::move(without.sections.at(kernels_section)));
}

}  // namespace tombolo
