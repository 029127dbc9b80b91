#include <algorithm>

#include <fmt/format.h>

#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/measuring/certainty.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

namespace {

// A larger relative error allows a value ten times smaller.
constexpr double least_precision = 0.9;

// Memory that ranks share carries a message in microseconds. What takes longer has waited for the system's scheduler.
constexpr Picoseconds longest_inside_host = 1'000'000'000;
// Nothing that has waited for the scheduler is that short, whatever its interval.
constexpr Picoseconds without_waiting = 100'000'000;

// Latencies of one network differ by less between two measurements.
constexpr Picoseconds changed_times = 3;
constexpr Picoseconds least_saved = 200'000'000;
constexpr Picoseconds part_of_longest = 20;  // less plays no part beside the longest latency
constexpr Picoseconds least_added = 5'000'000'000;

// Calls `latency` and `rate` with each figure of the network.
template <class Network, class Latency, class Rate>
void visit_level(Network& level, const Latency& latency, const Rate& rate) {
  latency(level.latency);
  rate(level.rate);
  rate(level.uplink);
  rate(level.backbone);
  for (auto& child : level.children) visit_level(child, latency, rate);
}

template <class Network, class Latency, class Rate>
void visit(Network& platform, const Latency& latency, const Rate& rate) {
  visit_level(platform.levels, latency, rate);
  for (auto& host : platform.hosts) {
    latency(host.latency);
    rate(host.rate);
    rate(host.memory);
  }
  for (auto& link : platform.links) {
    latency(link.latency);
    rate(link.rate);
    rate(link.total);
  }
  for (auto& line : platform.lines) rate(line.rate);
}

bool inside_host(Level::Kind kind) {
  return kind != Level::Kind::group && kind != Level::Kind::cluster;
}

bool take_turns(const Platform& platform, const Level& level) {
  return std::any_of(level.ranks.begin(), level.ranks.end(), [&](Rank rank) {
    const Processor& processor = platform.processors[static_cast<std::size_t>(rank)];
    return processor.ranks_sharing > processor.cores;
  });
}

// Returns the first level inside a host with an unsure latency; null if there is none.
const Level* unsure(const Platform& platform, const Level& level) {
  const auto [value, error] = level.latency;
  const bool short_enough = value + error <= without_waiting;
  const bool sure = (is_precise(level.latency, least_precision) || short_enough) && value <= longest_inside_host;
  if (inside_host(level.kind) && !take_turns(platform, level) && !sure) return &level;
  for (const Level& child : level.children) {
    if (const Level* found = unsure(platform, child)) return found;
  }
  return nullptr;
}

void add_neighbours(const Platform& platform, const Level& level, std::vector<std::pair<Rank, Rank>>& pairs) {
  const bool in_host = inside_host(level.kind);
  if (in_host && take_turns(platform, level)) return;
  for (std::size_t child = 1; child < level.children.size(); ++child) {
    pairs.emplace_back(level.children[child - 1].ranks.front(), level.children[child].ranks.front());
    if (in_host) return;
  }
  for (const Level& child : level.children) add_neighbours(platform, child, pairs);
}

}  // namespace

std::string unsure_latency(const Platform& platform) {
  const Level* const level = unsure(platform, platform.levels);
  if (level == nullptr) return "";
  return fmt::format("{} give or take {} inside {}", readable(level->latency.value), readable(level->latency.error),
                     level->name);
}

std::vector<std::pair<Rank, Rank>> neighbours(const Platform& platform) {
  std::vector<std::pair<Rank, Rank>> pairs;
  add_neighbours(platform, platform.levels, pairs);
  return pairs;
}

std::string changed_latency(const Platform& platform, std::span<const std::pair<Rank, Rank>> pairs,
                            std::span<const Measured> round_trips) {
  const Routes routes(platform);
  Picoseconds longest = 0;
  for (const auto& [a, b] : pairs) longest = std::max(longest, routes.latency(a, b));
  const Picoseconds saved = std::max(least_saved, longest / part_of_longest);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    const Picoseconds described = routes.latency(a, b);
    const Picoseconds now = round_trips[i].value / 2;
    const bool shorter = described > changed_times * now + saved;
    const bool longer = routes.host_of(a) != routes.host_of(b) && now > changed_times * described + least_added;
    if (shorter || longer) {
      return fmt::format("{} between ranks {} and {}, where messages take {}", readable(described), a, b,
                         readable(now));
    }
  }
  return "";
}

bool has_errors(const Platform& platform) {
  bool any = false;
  visit(
      platform, [&](const Measured& latency) { any = any || latency.error > 0; },
      [&](const Measured& rate) { any = any || rate.error > 0; });
  return any;
}

Platform at_best(Platform platform) {
  visit(
      platform,
      [](Measured& latency) {
        latency = {.value = std::max<std::int64_t>(latency.value - latency.error, 0), .error = 0};
      },
      [](Measured& rate) {
        const bool known = rate.value > 0;
        rate = {.value = known ? std::min(rate.value + rate.error, highest_rate) : 0, .error = 0};
      });
  return platform;
}

}  // namespace tombolo
