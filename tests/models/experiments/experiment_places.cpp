#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/experiment_places.hpp>

#include "models/test_platforms.hpp"

using namespace tombolo;

TEST_CASE("hosts are numbered in the order of their first ranks") {
  const Platform platform = clusters_of_hosts({{3, 2, 1}});
  const ExperimentPlaces places(platform);
  std::vector<int> hosts;
  for (Rank rank = 0; rank < 6; ++rank) hosts.push_back(places.host_of(rank));
  CHECK(hosts == std::vector<int>{0, 1, 2, 0, 1, 0});
  CHECK(places.hosts() == 3);
  CHECK(places.hosts_of({.a = 2, .b = 4}) == std::vector<int>{1, 2});
  CHECK(places.hosts_of({.a = 0, .b = 5}) == std::vector<int>{0});
}

TEST_CASE("an uplink carries messages that leave it, as many at a time as fill it") {
  // Ranks are dealt to the hosts in turn: 0, 1, 2 in cluster 0, 3 and 4 in cluster 1.
  Platform platform = clusters_of_hosts({{1, 1, 1}, {1, 1}});
  for (Host& host : platform.hosts) host.rate.value = 100'000'000;
  platform.links.front().latency.value = 160'000'000;
  platform.levels.children[0].uplink.value = 250'000'000;
  const ExperimentPlaces places(platform);
  REQUIRE(places.shared().size() == 1);
  CHECK(places.shared()[0].most == 2);
  // A sixteenth of the latency: 10 us.
  CHECK(places.shared()[0].noticed == 2500);
  const std::vector<int> none;
  const std::vector<int> it{0};
  CHECK(places.shared_by({.a = 0, .b = 3, .there = 2500}) == it);
  CHECK(places.shared_by({.a = 3, .b = 0, .there = 2499}) == none);
  CHECK(places.shared_by({.a = 3, .b = 0, .there = 1, .back = 2500}) == it);
  CHECK(places.shared_by({.a = 0, .b = 2, .there = 1 << 20}) == none);
  CHECK(places.shared_by({.a = 3, .b = 4, .there = 1 << 20}) == none);
  CHECK(places.shared_by({.kind = Experiment::Kind::one_to_two, .a = 0, .b = 1, .c = 4, .there = 1 << 20}) == it);
}

TEST_CASE("a backbone carries the messages of its cluster, and one at a time where no host's rate is known") {
  Platform platform = clusters_of_hosts({{1, 1, 1}, {1, 1}});
  platform.levels.children[1].backbone.value = 100'000'000;
  const ExperimentPlaces places(platform);
  REQUIRE(places.shared().size() == 1);
  CHECK(places.shared()[0].most == 1);
  const std::vector<int> none;
  const std::vector<int> it{0};
  CHECK(places.shared_by({.a = 3, .b = 4, .there = 1}) == it);
  CHECK(places.shared_by({.a = 0, .b = 4, .there = 1}) == it);
  CHECK(places.shared_by({.a = 0, .b = 4}) == none);
  CHECK(places.shared_by({.a = 0, .b = 1, .there = 1}) == none);
}
