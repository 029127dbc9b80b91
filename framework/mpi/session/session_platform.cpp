#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/measuring/certainty.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/shared_in_process.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

// From matrices within a nearby cache to matrices beyond all caches.
constexpr std::int64_t speed_sizes[] = {128, 256, 512, 1024, 2048};
constexpr double seconds_per_size = 0.2;
constexpr double part_per_size = 0.02;  // of the budget, if this is less than seconds_per_size
// Slow processors skip the largest size.
constexpr std::size_t fewest_sizes = 4;
constexpr double longest_call = 1;  // s
constexpr double part_of_call = 0.05;
constexpr double most_simulated_operations = 4e6;
// Long enough for a few round trips over long links, short enough for the start of any run.
constexpr double quick_seconds = 1;

// Returns the reason to measure a cached platform again: it was measured quickly, on a busy machine, and holds no
// results of longer measurements. Empty if the platform is good.
std::string doubt(const Platform& kept) {
  const bool quick = std::all_of(kept.processors.begin(), kept.processors.end(),
                                 [](const Processor& processor) { return processor.speed == 0; }) &&
                     std::all_of(kept.sections.begin(), kept.sections.end(),
                                 [](const auto& section) { return section.first == kernels_section; });
  return quick ? unsure_latency(kept) : "";
}

void check_there(bool there, const char* what) {
  if (there) return;
  throw std::logic_error(fmt::format("the session has no {} yet: discover_or_load() before, on all ranks", what));
}

}  // namespace

std::vector<std::string> Session::hosts_by_rank() const {
  std::vector<std::string> hosts;
  for (const Processor& processor : processors_) hosts.push_back(processor.host);
  return hosts;
}

CacheKey Session::cache_key() const {
  CacheKey key;
  key.hosts = hosts_by_rank();
  key.mpi = mpi_library();
  key.simulated = machine::simulated();
  for (const Processor& processor : processors_) {
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
  platform_is_file_ = true;
  if (planner_) make_planner();
}

void Session::measure_speeds(double budget) {
  constexpr std::size_t sizes = std::size(speed_sizes);
  std::array<FlopsPerSecond, sizes> mine{};  // 0 if this rank is too slow for the size
  const double each = std::min(seconds_per_size, part_per_size * budget);
  const double longest = std::min(longest_call, part_of_call * budget);
  check_mpi(MPI_Barrier(communicator_), "MPI_Barrier");
  for (std::size_t s = 0; s < sizes; ++s) {
    const GemmShape call{.m = speed_sizes[s], .n = speed_sizes[s], .k = speed_sizes[s]};
    if (s >= fewest_sizes && flops(call) / static_cast<double>(mine[s - 1]) > longest) break;
    // The time per operation of a simulated processor does not depend on the problem size.
    const double operations = std::min(flops(call), most_simulated_operations);
    mine[s] = speed_of(operations, operations, [&] { return measure_gemm_speed<double>(call, each); });
  }
  const auto all = of_all_ranks(communicator_, mine);
  for (std::size_t r = 0; r < processors_.size(); ++r) {
    processors_[r].speeds.clear();
    for (std::size_t s = 0; s < sizes; ++s) {
      const FlopsPerSecond speed = all[r][s];
      if (speed > 0) processors_[r].speeds.push_back({.size = speed_sizes[s], .speed = speed});
    }
    processors_[r].speed = processors_[r].speeds.back().speed;
  }
}

Platform Session::discover(const DiscoveryOptions& options) {
  if (options.progress && rank_ == 0) options.progress("speeds of processors", "");
  const Picoseconds begin = machine::now();
  measure_speeds(options.budget);
  Platform found = tombolo::discover(communicator_, processors_, options);
  found.origin.mpi = mpi_library();
  // All ranks use rank 0's duration.
  found.origin.seconds = of_all_ranks(communicator_, seconds(machine::now() - begin)).front();
  return found;
}

std::string Session::keep(const Platform& platform) {
  const CacheKey key = cache_key();
  std::string where;
  // Nothing is cached in a simulation: other simulated platforms may have the same host names.
  if (rank_ == 0 && !machine::simulated() && keep_cached(key, platform)) where = cache_file(key)->string();
  return text_from(communicator_, 0, std::move(where));
}

const Platform& Session::find_platform() {
  if (platform_) return *platform_;
  const CacheKey key = cache_key();
  std::string text;
  if (rank_ == 0 && !machine::simulated()) {
    if (const auto cached = find_cached(key)) text = to_json(*cached);
  }
  text = text_from(communicator_, 0, std::move(text));
  if (!text.empty()) {
    platform_ = platform_from_json(text, "the platform kept for these hosts");
    platform_source_ = "kept by an earlier run on these hosts";
  }
  const std::string why = platform_ ? doubt(*platform_) : "";
  if (platform_ && why.empty()) return *platform_;
  auto sections = platform_ ? std::move(platform_->sections) : std::map<std::string, std::string>();
  platform_ = tombolo::discover(communicator_, processors_, {.budget = quick_seconds, .precision = 0.1});
  platform_->origin.mpi = mpi_library();
  platform_->sections = std::move(sections);
  platform_source_ = fmt::format("measured in {:.2g} s", platform_->origin.seconds);
  if (!why.empty()) platform_source_ += fmt::format(", as an earlier run found {}", why);
  keep(*platform_);
  return *platform_;
}

void Session::remember(const std::string& section, std::string json) {
  find_platform();
  platform_->sections[section] = std::move(json);
  if (!platform_is_file_) keep(*platform_);
}

const Platform& Session::discover_or_load() {
  if (planner_) return *platform_;
  find_platform();
  if (!tuning_) seek_tuning();
  make_planner();
  return *platform_;
}

void Session::make_planner() {
  planner_ = shared_in_process<Planner>(communicator_, [&] {
    auto planner = std::make_shared<Planner>(*platform_);
    if (tuning_) planner->use(*tuning_);
    return planner;
  });
}

const Platform& Session::platform() const {
  check_there(platform_.has_value(), "platform");
  return *platform_;
}

const std::shared_ptr<Planner>& Session::planner() const {
  check_there(planner_ != nullptr, "planner");
  return planner_;
}

const Tuning* Session::tuning() const {
  check_there(planner_ || tuning_, "tuning");
  return tuning_ ? &*tuning_ : nullptr;
}

void Session::use_tuning(const std::string& path) {
  const std::vector<std::string> hosts = hosts_by_rank();
  std::string text;
  agree(communicator_, [&] {
    if (rank_ != 0) return;
    const Tuning read = read_tuning(path);
    read.check_fits(hosts, printable(path));
    text = to_json(read);
  });
  tuning_ = tuning_from_json(text_from(communicator_, 0, std::move(text)), path);
  if (planner_) make_planner();
}

// Loads the tuning named by the environment.
void Session::seek_tuning() {
  const char* const named = rank_ == 0 ? std::getenv("TOMBOLO_TUNING") : nullptr;
  const std::string path = text_from(communicator_, 0, named == nullptr ? std::string() : std::string(named));
  if (!path.empty()) use_tuning(path);
}

}  // namespace tombolo
