#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/mpi/measure_protocols.hpp>
#include <tombolo/platform/clustering/stated_levels.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/measuring/certainty.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/shared_in_process.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>

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
constexpr double quick_seconds = 0.5;
constexpr double quick_protocols = 0.25;
// Of the budget of a discovery.
constexpr double part_for_protocols = 0.15;

// Returns the reason to measure a cached platform again: it was measured quickly, on a busy machine, and holds no
// results of longer measurements. Empty if the platform is good.
std::string doubt(const Platform& kept) {
  const bool quick = std::all_of(kept.processors.begin(), kept.processors.end(),
                                 [](const Processor& processor) { return processor.speed == 0; }) &&
                     std::all_of(kept.sections.begin(), kept.sections.end(),
                                 [](const auto& section) {
                                   return section.first == kernels_section || section.first == models_section;
                                 }) &&
                     stored_estimates(kept).size() <= 1;
  return quick ? unsure_latency(kept) : "";
}

// The path of the tuning file that the environment of rank 0 names; empty if none.
std::string tuning_in_environment(MPI_Comm communicator) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  const char* const named = rank == 0 ? std::getenv("TOMBOLO_TUNING") : nullptr;
  return text_from(communicator, 0, named == nullptr ? std::string() : std::string(named));
}

void check_there(bool there, const char* what) {
  if (there) return;
  throw std::logic_error(fmt::format("the session has no {} yet: discover_or_load() before, on all ranks", what));
}

}  // namespace

std::vector<std::string> Session::State::hosts_by_rank() const {
  std::vector<std::string> hosts;
  for (const Processor& processor : processors) hosts.push_back(processor.host);
  return hosts;
}

CacheKey Session::State::cache_key() const {
  CacheKey key;
  key.hosts = hosts_by_rank();
  key.mpi = mpi_library();
  key.simulated = machine::simulated();
  key.levels = levels;
  for (const Processor& processor : processors) {
    key.places.push_back(processor.place);
    key.models.push_back(processor.model);
  }
  return key;
}

void Session::State::find_levels() {
  const char* const value = std::getenv("TOMBOLO_LEVELS");
  const std::string mine = value == nullptr ? "" : value;
  const std::vector<int> lengths = of_all_ranks(communicator, static_cast<int>(mine.size()));
  std::vector<int> places;
  int total = 0;
  for (const int length : lengths) {
    places.push_back(total);
    total += length;
  }
  if (total == 0) return;
  std::string all(static_cast<std::size_t>(total), ' ');
  check_mpi(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, all.data(), lengths.data(),
                           places.data(), MPI_CHAR, communicator),
            "MPI_Allgatherv");
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    levels.push_back(all.substr(static_cast<std::size_t>(places[r]), static_cast<std::size_t>(lengths[r])));
  }
}

StatedLevels Session::State::stated_levels() const {
  StatedLevels stated;
  agree(communicator, [&] {
    if (!levels.empty()) stated = stated_by_processes(levels, ranks_of_hosts(processors));
  });
  return stated;
}

void Session::use_platform(const std::string& path) {
  const std::vector<std::string> hosts = state_->hosts_by_rank();
  std::string text;
  agree(communicator_, [&] {
    if (rank_ != 0) return;
    const Platform read = read_platform(path);
    check_platform_fits(read, hosts, path);
    text = to_json(read);
  });
  state_->platform = platform_from_json(text_from(communicator_, 0, std::move(text)), path);
  state_->platform_source = path;
  state_->platform_is_file = true;
  if (!state_->planner) return;
  state_->recall_plans();
  state_->make_planner();
}

void Session::State::measure_speeds(double budget) {
  constexpr std::size_t sizes = std::size(speed_sizes);
  std::array<FlopsPerSecond, sizes> mine{};  // 0 if this rank is too slow for the size
  const double each = std::min(seconds_per_size, part_per_size * budget);
  const double longest = std::min(longest_call, part_of_call * budget);
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  for (std::size_t s = 0; s < sizes; ++s) {
    const GemmShape call{.m = speed_sizes[s], .n = speed_sizes[s], .k = speed_sizes[s]};
    if (s >= fewest_sizes && flops(call) / static_cast<double>(mine[s - 1]) > longest) break;
    // The time per operation of a simulated processor does not depend on the problem size.
    const double operations = std::min(flops(call), most_simulated_operations);
    mine[s] = speed_of(operations, operations, [&] { return measure_gemm_speed<double>(call, each); });
  }
  const auto all = of_all_ranks(communicator, mine);
  for (std::size_t r = 0; r < processors.size(); ++r) {
    processors[r].speeds.clear();
    for (std::size_t s = 0; s < sizes; ++s) {
      const FlopsPerSecond speed = all[r][s];
      if (speed > 0) processors[r].speeds.push_back({.size = speed_sizes[s], .speed = speed});
    }
    processors[r].speed = processors[r].speeds.back().speed;
  }
}

Platform Session::discover(const DiscoveryOptions& options) {
  DiscoveryOptions of_network = options;
  if (options.stated.empty()) of_network.stated = state_->stated_levels();
  if (options.progress && rank_ == 0) options.progress("speeds of processors", "");
  const Picoseconds begin = machine::now();
  state_->measure_speeds(options.budget);
  const double for_protocols = part_for_protocols * options.budget;
  const double spent = of_all_ranks(communicator_, seconds(machine::now() - begin)).front();
  of_network.budget = std::max(options.budget / 2, options.budget - spent - for_protocols);
  Platform found = tombolo::discover(communicator_, state_->processors, of_network);
  if (options.progress && rank_ == 0) options.progress("protocols of messages", "");
  measure_protocols(communicator_, found, for_protocols);
  found.origin.mpi = mpi_library();
  // All ranks use rank 0's duration.
  found.origin.seconds = of_all_ranks(communicator_, seconds(machine::now() - begin)).front();
  return found;
}

std::string Session::keep(const Platform& platform) {
  const CacheKey key = state_->cache_key();
  std::string where;
  // Nothing is cached in a simulation: other simulated platforms may have the same host names.
  if (rank_ == 0 && !machine::simulated() && keep_cached(key, platform)) where = cache_file(key)->string();
  return text_from(communicator_, 0, std::move(where));
}

const Platform& Session::find_platform() {
  if (state_->platform) return *state_->platform;
  const CacheKey key = state_->cache_key();
  std::string text;
  if (rank_ == 0 && !machine::simulated()) {
    if (const auto cached = find_cached(key)) text = to_json(*cached);
  }
  text = text_from(communicator_, 0, std::move(text));
  if (!text.empty()) {
    state_->platform = platform_from_json(text, "the platform kept for these hosts");
    state_->platform_source = "kept by an earlier run on these hosts";
  }
  std::optional<Platform>& platform = state_->platform;
  const std::string why = platform ? doubt(*platform) : "";
  if (platform && why.empty()) return *platform;
  auto sections = platform ? std::move(platform->sections) : std::map<std::string, std::string>();
  const Picoseconds begin = machine::now();
  platform = tombolo::discover(communicator_, state_->processors,
                               {.budget = quick_seconds, .precision = 0.1, .stated = state_->stated_levels()});
  sections.merge(platform->sections);
  platform->sections = std::move(sections);
  measure_protocols(communicator_, *platform, quick_protocols);
  platform->origin.mpi = mpi_library();
  platform->origin.seconds = of_all_ranks(communicator_, seconds(machine::now() - begin)).front();
  state_->platform_source = fmt::format("measured in {:.2g} s", platform->origin.seconds);
  if (!why.empty()) state_->platform_source += fmt::format(", as an earlier run found {}", why);
  keep(*platform);
  return *platform;
}

void Session::remember(const std::string& section, std::string json) {
  find_platform();
  state_->platform->sections[section] = std::move(json);
  if (!state_->platform_is_file) keep(*state_->platform);
}

const Platform& Session::discover_or_load() {
  if (state_->planner) return *state_->platform;
  find_platform();
  if (!state_->tuning) {
    const std::string path = tuning_in_environment(communicator_);
    if (!path.empty()) use_tuning(path);
  }
  state_->recall_plans();
  state_->make_planner();
  return *state_->platform;
}

void Session::State::make_planner() {
  planner = shared_in_process<Planner>(communicator, [&] {
    auto made = std::make_shared<Planner>(*platform);
    if (tuning) made->use(*tuning);
    if (plans) made->use(plans);
    return made;
  });
}

const std::string& Session::platform_source() const {
  return state_->platform_source;
}

const Platform& Session::platform() const {
  check_there(state_->platform.has_value(), "platform");
  return *state_->platform;
}

const std::shared_ptr<Planner>& Session::planner() const {
  check_there(state_->planner != nullptr, "planner");
  return state_->planner;
}

const Tuning* Session::tuning() const {
  check_there(state_->planner || state_->tuning, "tuning");
  return state_->tuning ? &*state_->tuning : nullptr;
}

void Session::use_tuning(const std::string& path) {
  const std::vector<std::string> hosts = state_->hosts_by_rank();
  std::string text;
  agree(communicator_, [&] {
    if (rank_ != 0) return;
    const Tuning read = read_tuning(path);
    read.check_fits(hosts, printable(path));
    text = to_json(read);
  });
  state_->tuning = tuning_from_json(text_from(communicator_, 0, std::move(text)), path);
  if (state_->planner) state_->make_planner();
}

}  // namespace tombolo
