#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/mpi/discover.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;

namespace {

constexpr double budget = 0.2;  // seconds

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int size_of(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

// Ranks as if on such hosts; those of a host share a cache in pairs.
std::vector<Processor> on_hosts(const std::vector<int>& hosts) {
  std::map<int, int> so_far;
  std::vector<Processor> processors;
  for (const int host : hosts) {
    const int number = so_far[host]++;
    Processor processor;
    processor.host = fmt::format("h{}", host);
    processor.ranks_on_host = static_cast<int>(std::count(hosts.begin(), hosts.end(), host));
    processor.place = {.package = 0, .numa = 0, .cache = number / 2, .core = number};
    processors.push_back(processor);
  }
  return processors;
}

Platform discover_on(MPI_Comm communicator, const std::vector<int>& hosts, const StatedLevels& stated = {}) {
  return discover(communicator, on_hosts(hosts), {.budget = budget, .stated = stated});
}

bool same_on_all(MPI_Comm communicator, const Platform& mine) {
  const std::string text = to_json(mine);
  const bool same = text_from(communicator, 0, text) == text;
  // What ranks hold, and not only what they would write: rank 0's is not read from a text.
  return agreed(same && platform_from_json(text, "the text") == mine, communicator);
}

bool throws_nothing(const Platform& platform) {
  try {
    check_platform(platform);
  } catch (const std::exception& error) {
    UNSCOPED_INFO(error.what());
    return false;
  }
  return true;
}

bool is_measured(const Level& level) {
  const bool inside = level.kind >= Level::Kind::host && level.kind < Level::Kind::rank && level.children.size() > 1;
  if (level.latency.value < 0 || level.latency.error < 0) return false;
  if (inside && (level.rate.value <= 0 || level.latency.value <= 0)) return false;
  return std::all_of(level.children.begin(), level.children.end(), is_measured);
}

// What every discovered platform holds.
void check_discovered(MPI_Comm communicator, const Platform& platform, const std::vector<int>& hosts) {
  CHECK(same_on_all(communicator, platform));
  CHECK(agreed(throws_nothing(platform), communicator));
  REQUIRE(agreed(platform.ranks() == size_of(communicator), communicator));
  const std::set<int> distinct(hosts.begin(), hosts.end());
  CHECK(agreed(platform.hosts.size() == distinct.size(), communicator));

  const std::vector<const Level*> found = clusters(platform.levels);
  std::multiset<Rank> placed;
  bool ports = true;
  for (const Level* const cluster : found) {
    placed.insert(cluster->ranks.begin(), cluster->ranks.end());
    for (const Level& host : cluster->children) {
      const auto at = std::find_if(platform.hosts.begin(), platform.hosts.end(),
                                   [&](const Host& one) { return one.name == host.name; });
      const bool has_neighbour = cluster->children.size() > 1;
      ports = ports && at != platform.hosts.end() && at->latency.value >= 0 && (at->rate.value > 0) == has_neighbour;
    }
  }
  CHECK(agreed(ports, communicator));
  std::multiset<Rank> all;
  for (Rank rank = 0; rank < platform.ranks(); ++rank) all.insert(rank);
  CHECK(agreed(placed == all, communicator));
  CHECK(agreed(is_measured(platform.levels), communicator));

  CHECK(agreed(platform.links.size() == found.size() * (found.size() - 1) / 2, communicator));
  bool links = true;
  for (const Link& link : platform.links) {
    links = links && link.latency.value >= 0 && (link.flows > 0) == (link.rate.value > 0);
    links = links && (link.flows > 0) == (link.total.value > 0);
    const std::size_t most = std::min(found[static_cast<std::size_t>(link.a)]->children.size(),
                                      found[static_cast<std::size_t>(link.b)]->children.size());
    links = links && static_cast<std::size_t>(link.flows) <= most;
  }
  CHECK(agreed(links, communicator));
  bool processors = true;
  for (const Processor& processor : platform.processors) {
    processors = processors && processor.send_overhead >= 0 && processor.receive_overhead >= 0;
    processors = processors && (distinct.size() == 1 || processor.send_overhead + processor.receive_overhead > 0);
  }
  CHECK(agreed(processors, communicator));
  CHECK(agreed(platform.origin.source == "discovered" && platform.origin.seconds >= 0, communicator));
  CHECK(agreed((platform.origin.messages > 0) == (hosts.size() > 1), communicator));
}

std::vector<int> hosts_of_ranks(int ranks, int (*host_of)(int)) {
  std::vector<int> hosts;
  for (int rank = 0; rank < ranks; ++rank) hosts.push_back(host_of(rank));
  return hosts;
}

}  // namespace

TEST_CASE("a discovered platform is sound and the same on all ranks, however ranks are on hosts") {
  const auto check = [](int (*host_of)(int)) {
    const std::vector<int> hosts = hosts_of_ranks(size_of(MPI_COMM_WORLD), host_of);
    check_discovered(MPI_COMM_WORLD, discover_on(MPI_COMM_WORLD, hosts), hosts);
  };
  SECTION("one a host") {
    check([](int rank) { return rank; });
  }
  SECTION("two a host") {
    check([](int rank) { return rank / 2; });
  }
  SECTION("all on one") {
    check([](int) { return 0; });
  }
  SECTION("dealt out to three") {
    check([](int rank) { return rank % 3; });
  }
  SECTION("three on one, the others alone") {
    check([](int rank) { return std::max(rank - 2, 0); });
  }
}

TEST_CASE("what is stated of the levels comes out") {
  const int ranks = size_of(MPI_COMM_WORLD);
  const std::vector<int> hosts = hosts_of_ranks(ranks, [](int rank) { return rank; });
  StatedLevels stated;
  std::vector<Rank> west;
  std::vector<Rank> east;
  for (Rank rank = 0; rank < ranks; ++rank) {
    (rank % 2 == 0 ? west : east).push_back(rank);
    stated.push_back(rank % 2 == 0 ? std::vector<std::string>{"west"} : std::vector<std::string>{"east"});
  }
  const Platform platform = discover_on(MPI_COMM_WORLD, hosts, stated);
  check_discovered(MPI_COMM_WORLD, platform, hosts);
  const auto has = [&](const std::string& name, const std::vector<Rank>& members) {
    std::vector<const Level*> levels = {&platform.levels};
    while (!levels.empty()) {
      const Level* const level = levels.back();
      levels.pop_back();
      if (level->name == name) return level->ranks == members;
      for (const Level& child : level->children) levels.push_back(&child);
    }
    return members.empty();
  };
  CHECK(agreed(has("west", west)));
  CHECK(agreed(has("east", east)));
}

TEST_CASE("parts of the ranks discover theirs at the same time") {
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm part = MPI_COMM_NULL;
  // In the opposite order, so that no rank has the number that it has in the whole.
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  const std::vector<int> hosts = hosts_of_ranks(size_of(part), [](int r) { return r / 2; });
  const Platform platform = discover_on(part, hosts);
  // An assertion is of all ranks or none.
  const bool sound = throws_nothing(platform) && platform.ranks() == size_of(part);
  const bool same = same_on_all(part, platform);
  MPI_Comm_free(&part);
  CHECK(agreed(sound));
  CHECK(agreed(same));
}

TEST_CASE("rank 0 hears of the stages, in order") {
  std::vector<std::string> stages;
  DiscoveryOptions options{.budget = budget};
  options.progress = [&](const std::string& stage, const std::string& what) {
    if (what.empty()) stages.push_back(stage);
  };
  const std::vector<int> hosts = hosts_of_ranks(size_of(MPI_COMM_WORLD), [](int rank) { return rank; });
  discover(MPI_COMM_WORLD, on_hosts(hosts), options);
  const std::set<std::string> distinct(stages.begin(), stages.end());
  CHECK(agreed(distinct.size() == stages.size()));
  CHECK(agreed(rank_in(MPI_COMM_WORLD) == 0 ? stages.size() > 3 && stages.front() == "inside hosts" : stages.empty()));
}

TEST_CASE("hosts whose ranks outnumber their cores are measured with all ranks at work, others are not") {
  const int size = size_of(MPI_COMM_WORLD);
  std::vector<int> hosts;
  for (Rank rank = 0; rank < size; ++rank) hosts.push_back(rank < (size + 1) / 2 ? 0 : 1);
  std::vector<Processor> processors = on_hosts(hosts);
  for (std::size_t r = 0; r < processors.size(); ++r) {
    if (hosts[r] == 0) processors[r].ranks_sharing = processors[r].ranks_on_host;
  }
  const Platform platform = discover(MPI_COMM_WORLD, processors, {.budget = budget});
  const bool shared = size > 2 && !platform.origin.simulated;
  const Routes routes(platform);
  for (const Host& host : platform.hosts) {
    const bool expected = shared && host.name == "h0";
    CHECK(agreed((host.message.value > 0) == expected, MPI_COMM_WORLD));
    // Elsewhere only ranks that are in each other's way share what they get.
    const auto first =
        static_cast<Rank>(std::ranges::find(processors, host.name, &Processor::host) - processors.begin());
    const auto ranks = std::ranges::count(processors, host.name, &Processor::host);
    const BytesPerSecond apart = ranks > 1 ? ranks * routes.rate(first, first + 1) : 0;
    CHECK(agreed(expected ? host.exchange.value > 0 : host.exchange.value == 0 || host.exchange.value < apart,
                 MPI_COMM_WORLD));
    CHECK(agreed(host.wake_up.value >= 0 && (expected || host.wake_up.value == 0), MPI_COMM_WORLD));
  }
}
