#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/call_rate.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/measure_kernel.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

// A simulated processor takes as long for each operation of a large problem as of a small one.
constexpr double simulated_operations = 4e6;
constexpr double too_long = 2;

std::vector<int> threads_of(Session& session) {
  std::vector<int> threads;
  for (const Processor& processor : session.processors()) threads.push_back(processor.threads);
  return threads;
}

/// The speeds at one size; 0 of ranks that leave it out.
class Measurer {
 public:
  Measurer(Session& session, const Kernel& kernel, double seconds)
      : session_(&session), kernel_(&kernel), seconds_(measuring_seconds(seconds)) {}

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
    std::vector<std::int64_t> speeds = session_->measure_rate(simulated_operations, simulated_operations, measure);
    agree(session_->communicator(), [&] {
      if (failure) std::rethrow_exception(failure);
    });
    return speeds;
  }

 private:
  Session* session_;
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

}  // namespace

std::vector<SpeedFunction> measure_kernel(Session& session, const Kernel& kernel, std::span<const std::int64_t> sizes,
                                          double seconds_per_size) {
  agree(session.communicator(), [&] { check_sizes(kernel, sizes); });
  if (machine::simulated()) sizes = sizes.first(1);
  std::vector<std::vector<SpeedPoint>> points(static_cast<std::size_t>(session.ranks()));
  Measurer measurer(session, kernel, seconds_per_size);
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

KernelSpeeds measured_kernel(Session& session, const Kernel& kernel, double seconds_per_size) {
  KernelSpeeds speeds{.unit = kernel.unit, .threads = threads_of(session), .by_rank = {}};
  speeds.by_rank = measure_kernel(session, kernel, kernel.sizes, seconds_per_size);
  return speeds;
}

std::vector<SpeedFunction> speeds_of(Session& session, const std::string& kernel) {
  const Platform& platform = session.platform();
  KernelSpeeds speeds;
  const Kernel* known = nullptr;
  agree(session.communicator(), [&] {
    const auto all = stored_kernels(platform);
    const auto found = all.find(kernel);
    if (found != all.end() && found->second.threads == threads_of(session)) {
      speeds = found->second;
    } else {
      known = &known_kernel(kernel);
    }
  });
  if (known != nullptr) {
    speeds = measured_kernel(session, *known);
    Platform with = platform;
    store_kernel(with, kernel, speeds);
    session.remember(kernels_section, std::move(with.sections.at(kernels_section)));
  }
  return std::move(speeds.by_rank);
}

}  // namespace tombolo
