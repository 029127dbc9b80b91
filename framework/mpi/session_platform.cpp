#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/kernel_speed.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/models/platform_hockney.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/platform_check.hpp>
#include <tombolo/platform/platform_file.hpp>

namespace tombolo {

namespace {

// From what fits in a cache close by to what does not fit in any.
constexpr std::int64_t speed_sizes[] = {128, 256, 512, 1024, 2048};
constexpr double seconds_per_size = 0.2;
// Long enough for a few round trips over long links, short enough for the start of any run.
constexpr double quick_seconds = 1;

}  // namespace

std::vector<std::string> Session::hosts_by_rank() {
  std::vector<std::string> hosts;
  for (const Processor& processor : processors()) hosts.push_back(processor.host);
  return hosts;
}

CacheKey Session::cache_key() {
  CacheKey key;
  key.hosts = hosts_by_rank();
  key.mpi = mpi_library();
  key.simulated = machine::simulated();
  for (const Processor& processor : processors()) {
    key.places.push_back(processor.place);
    key.models.push_back(processor.model);
  }
  return key;
}

void Session::use_platform(const std::string& path) {
  const std::vector<std::string> hosts = hosts_by_rank();
  std::string text;
  agree(communicator_, [&] {
    if (rank_ != 0) return;
    const Platform read = read_platform(path);
    check_platform_fits(read, hosts, path);
    text = to_json(read);
  });
  platform_ = platform_from_json(text_from(communicator_, 0, std::move(text)), path);
  platform_source_ = path;
  model_.reset();
}

void Session::measure_speeds() {
  std::vector<std::vector<SpeedPoint>> speeds(static_cast<std::size_t>(ranks_));
  for (const std::int64_t size : speed_sizes) {
    const GemmShape call{.m = size, .n = size, .k = size};
    const auto measured =
        measure(flops(call), flops(call), [&] { return measure_gemm_speed<double>(call, seconds_per_size); });
    for (std::size_t r = 0; r < speeds.size(); ++r) speeds[r].push_back({.size = size, .speed = measured[r]});
  }
  for (std::size_t r = 0; r < speeds.size(); ++r) {
    processors_[r].speed = speeds[r].back().speed;
    processors_[r].speeds = std::move(speeds[r]);
  }
}

Platform Session::discover(const DiscoveryOptions& options) {
  processors();
  if (options.progress && rank_ == 0) options.progress("speeds of processors", "");
  measure_speeds();
  return tombolo::discover(communicator_, processors_, options);
}

std::string Session::keep(const Platform& platform) {
  processors();
  const CacheKey key = cache_key();
  std::string where;
  // Under the same names, a simulation may be of another platform.
  if (rank_ == 0 && !machine::simulated() && keep_cached(key, platform)) where = cache_file(key)->string();
  return text_from(communicator_, 0, std::move(where));
}

const Platform& Session::platform() {
  if (platform_) return *platform_;
  processors();
  const CacheKey key = cache_key();
  std::string text;
  if (rank_ == 0 && !machine::simulated()) {
    if (const auto cached = find_cached(key)) text = to_json(*cached);
  }
  text = text_from(communicator_, 0, std::move(text));
  if (!text.empty()) {
    platform_ = platform_from_json(text, "the platform kept for these hosts");
    platform_source_ = "kept by an earlier run on these hosts";
    return *platform_;
  }
  platform_ = tombolo::discover(communicator_, processors_, {.budget = quick_seconds, .precision = 0.1});
  platform_source_ = fmt::format("measured in {:.2g} s", platform_->origin.seconds);
  keep(*platform_);
  return *platform_;
}

const Hockney& Session::model() {
  if (!model_) model_ = hockney_of(platform());
  return *model_;
}

}  // namespace tombolo
