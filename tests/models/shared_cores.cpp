#include <catch2/catch.hpp>

#include <tombolo/models/shared_cores.hpp>

#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

// Two hosts, ranks 0, 2, 4, 6 and 1, 3, 5, 7; on the first all share two cores.
Platform two_hosts() {
  Platform platform = clusters_of_hosts({{4, 4}});
  for (const Rank rank : {0, 2, 4, 6}) {
    Processor& processor = platform.processors[static_cast<std::size_t>(rank)];
    processor.cores = 2;
    processor.ranks_sharing = 4;
  }
  for (Host& host : platform.hosts) {
    host.message.value = 10;
    host.wake_up.value = 30;
  }
  return platform;
}

}  // namespace

TEST_CASE("ranks share the cores of a host that has fewer cores than ranks") {
  const SharedCores cores(two_hosts());
  REQUIRE(cores.hosts().size() == 1);
  CHECK(cores.hosts()[0] == SharedCores::Host{.ranks = {0, 2, 4, 6}, .cores = 2, .wake_up = 30});
  for (const Rank rank : {0, 2, 4, 6}) CHECK(cores.host_of(rank) == 0);
  for (const Rank rank : {1, 3, 5, 7}) CHECK(cores.host_of(rank) == -1);
}

TEST_CASE("a host that was not measured with all ranks at work counts as one with a core for each") {
  Platform platform = two_hosts();
  for (Host& host : platform.hosts) host.message = {};
  CHECK(!SharedCores(platform).any());
}

TEST_CASE("some of the ranks share cores if they too outnumber them") {
  const SharedCores cores(two_hosts());
  const SharedCores three = cores.among({6, 1, 0, 3, 4});
  REQUIRE(three.hosts().size() == 1);
  CHECK(three.hosts()[0] == SharedCores::Host{.ranks = {0, 2, 4}, .cores = 2, .wake_up = 30});
  CHECK(three.host_of(0) == 0);
  CHECK(three.host_of(1) == -1);
  CHECK(!cores.among({6, 1, 0, 3}).any());
}
