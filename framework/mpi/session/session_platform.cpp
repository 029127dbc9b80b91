#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/framework/partition/kernel_speed.hpp>
#include <tombolo/models/mpi/measure_protocols.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

namespace {

// From matrices within a nearby cache to matrices beyond all caches.
constexpr std::int64_t speed_sizes[] = {128, 256, 512, 1024, 2048};
constexpr double seconds_per_size = 0.2;
constexpr double part_per_size = 0.02;  // of the budget, if this is less than seconds_per_size
// Slow processors skip sizes that would take longer, but for the smallest two.
constexpr std::size_t fewest_sizes = 2;
constexpr double longest_size = 4;    // s
constexpr double longest_part = 0.4;  // of the budget, if this is less than longest_size
constexpr double calls = 4;           // at least, of a size
constexpr double most_simulated_operations = 4e6;
// Of the budget of a discovery.
constexpr double part_for_protocols = 0.15;

void check_there(bool there, const char* what) {
  if (there) return;
  throw std::logic_error(fmt::format("the session has no {} yet: discover_or_load() before, on all ranks", what));
}

}  // namespace

RunPlatform& machines_of(Session& session) {
  return *session.state_;
}

void Session::use_platform(const std::string& path) {
  state_->use_file(path);
}

void Session::use_tuning(const std::string& path) {
  state_->use_tuning(path);
}

std::string Session::keep(const Platform& platform) {
  return state_->keep(platform);
}

const Platform& Session::find_platform() {
  return state_->find();
}

const Platform& Session::discover_or_load() {
  state_->make_planner();
  return *state_->platform;
}

void Session::keep_experience() {
  state_->keep_experience();
}

void Session::State::measure_speeds(double budget) {
  constexpr std::size_t sizes = std::size(speed_sizes);
  std::array<FlopsPerSecond, sizes> mine{};  // 0 if this rank is too slow for the size
  const double each = std::min(seconds_per_size, part_per_size * budget);
  const double longest = std::min(longest_size, longest_part * budget);
  check_mpi(MPI_Barrier(communicator), "MPI_Barrier");
  for (std::size_t s = 0; s < sizes; ++s) {
    const GemmShape call{.m = speed_sizes[s], .n = speed_sizes[s], .k = speed_sizes[s]};
    if (s >= fewest_sizes && calls * flops(call) / static_cast<double>(mine[s - 1]) > longest) break;
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
  const double spent = of_rank_0(communicator_, seconds(machine::now() - begin));
  of_network.budget = std::max(options.budget / 2, options.budget - spent - for_protocols);
  Platform found = tombolo::discover(communicator_, state_->processors, of_network);
  if (options.progress && rank_ == 0) options.progress("protocols of messages", "");
  measure_protocols(communicator_, found, for_protocols);
  found.origin.mpi = mpi_library();
  // All ranks use rank 0's duration.
  found.origin.seconds = of_rank_0(communicator_, seconds(machine::now() - begin));
  return found;
}

void Session::remember(const std::string& section, std::string json) {
  state_->remember(section, std::move(json));
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

}  // namespace tombolo
