#include <algorithm>
#include <cstdlib>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/platform/description/members.hpp>

#include "collectives/requests.hpp"
#include "models/figured_platform.hpp"
#include "platform/part_of_platform.hpp"
#include "platform/random_platform.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

Multiport flowing(const Platform& platform, const Relief& relief) {
  const std::size_t classes = PairClasses(platform).size();
  return Multiport(platform,
                   {.protocols = std::vector<Multiport::Protocol>(classes, {.eager = 1 << 20}),
                    .ports = {.together = relief.together, .back = std::vector<int>(relief.together.size(), 0)},
                    .synchronous_receive = relief.synchronous_receive});
}

}  // namespace

TEST_CASE("no plan of any algorithm and setting is predicted to beat the bound of a platform") {
  std::mt19937 random(17);
  const std::vector<std::vector<std::vector<int>>> shapes = {
      {{1, 1, 1, 1, 1}}, {{1, 2}, {1, 1, 1}, {2}}, {{3, 2, 3}}, {{1}, {1}, {2, 1}}, {{1, 1, 1, 1, 1, 1, 1}}};
  for (std::size_t number = 0; number < (test::sanitized() ? 2 : 2 * shapes.size()); ++number) {
    const auto& shape = shapes[number % shapes.size()];
    Platform platform = with_figures(clusters_of_hosts(shape), static_cast<unsigned>(random()));
    for (Link& link : platform.links) {
      if (random() % 2 == 0) continue;
      link.flows = 3;
      link.total = {link.rate.value * 3 / 2, 0};
    }
    if (number % 3 == 1) {
      for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
    }
    Level& first = platform.levels.children.front().kind == Level::Kind::cluster ? platform.levels.children.front()
                                                                                 : platform.levels;
    if (number % 2 == 1) first.backbone = {20'000'000, 0};
    if (number % 4 == 3) first.uplink = {10'000'000, 0};
    // Some hosts send or receive several messages faster than one.
    Relief relief{.together = std::vector<int>(shape.size(), 1000)};
    for (int& each : relief.together) each += number % 2 == 0 ? 0 : static_cast<int>(random() % 1000);
    if (number % 3 == 2) relief.synchronous_receive = 0;
    const Multiport model = flowing(platform, relief);
    for (const Algorithm* algorithm : all_algorithms()) {
      for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven, Spread::one}) {
        const Rank root = is_rooted(algorithm->operation) ? static_cast<Rank>(random()) % platform.ranks() : 0;
        Request request = test::request(algorithm->operation, platform.ranks(), std::abs(root), spread, random);
        for (const Bytes element : {8, 1'000, 100'000}) {
          request.element_bytes = element;
          const Picoseconds bound = lower_bound(request, platform, all_in_order(platform.ranks()), relief);
          const Plan whole(request, *algorithm);
          const Plan cut(request, *algorithm,
                         {.segment_bytes = 4 * element,
                          .window = static_cast<int>(random() % 4),
                          .radix = static_cast<int>(2 + random() % 7)});
          for (const Plan& plan : {whole, cut}) {
            INFO(plan.describe() << " of elements of " << element << ", platform " << number);
            // Flows that end almost together are taken to end at once, each up to a 256th of its time too early, when
            // it may be faster than it was (models/network/flows.cpp).
            CHECK(predict(plan, model).makespan >= bound - bound / 128);
          }
          if (spread == Spread::equal) CHECK(bound > 0);
        }
      }
    }
  }
}

TEST_CASE("no plan of any algorithm and setting is predicted to beat the bound of equal links") {
  std::mt19937 random(19);
  for (const Algorithm* algorithm : all_algorithms()) {
    for (const int ranks : test::sanitized() ? std::vector{3, 8} : std::vector{2, 3, 4, 5, 7, 8, 13, 16, 31}) {
      for (const Spread spread : {Spread::none, Spread::equal, Spread::uneven, Spread::one}) {
        Request request =
            test::request(algorithm->operation, ranks, is_rooted(algorithm->operation) ? ranks / 3 : 0, spread, random);
        for (const Bytes element : {1, 1'000}) {
          request.element_bytes = element;
          const Hockney model({.latency = 50'000'000, .rate = 125'000'000, .longest_latency = 50'000'000});
          const Picoseconds bound = lower_bound(request, model);
          const Plan whole(request, *algorithm);
          const Plan cut(request, *algorithm,
                         {.segment_bytes = element << random() % 5, .radix = static_cast<int>(2 + random() % 4)});
          for (const Plan& plan : {whole, cut}) {
            INFO(plan.describe() << " of elements of " << element << " among " << ranks);
            // Rounded up to a picosecond for each message.
            CHECK(predict(plan, model).makespan >= bound);
          }
        }
      }
    }
  }
}

TEST_CASE("a backbone carries each message of a cluster once") {
  Platform platform = with_figures(clusters_of_hosts({{1, 1, 1, 1}}), 5);
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  for (Host& host : platform.hosts) host.rate = {1'000'000, 0};
  platform.levels.latency = {1'000'000, 0};
  platform.levels.backbone = {500'000, 0};
  const auto seconds_of = [&](const Request& request) {
    return (lower_bound(request, platform) - 1'000'000) / picoseconds_per_second;
  };
  // A megabyte over half a megabyte per second: each of three receives it, each of four its own and its result, ...
  CHECK(seconds_of(Request::bcast(4, 1, 1'000'000, 1)) == 6);
  CHECK(seconds_of(Request::reduce(4, 1, 1'000'000, 1)) == 6);
  CHECK(seconds_of(Request::allreduce(4, 1'000'000, 1)) == 12);
  CHECK(seconds_of(Request::allgatherv(Blocks::equal(4, 1'000'000), 1)) == 24);
  CHECK(seconds_of(Request::alltoallv(4, AlltoallCounts::equal(4, 1'000'000), 1)) == 24);
}

TEST_CASE("a backbone of a group carries each message between and out of its children once") {
  Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}, {1, 1}}), 5);
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  for (Host& host : platform.hosts) host = {.name = host.name, .latency = {}, .rate = {1'000'000, 0}};
  for (Link& link : platform.links) link = {.a = link.a, .b = link.b};
  for (Level& cluster : platform.levels.children) cluster.latency = {};
  platform.levels.backbone = {500'000, 0};
  const auto seconds_of = [&](const Request& request) {
    return lower_bound(request, platform) / picoseconds_per_second;
  };
  // A megabyte over half a megabyte per second: to each of two other clusters, from and to each of three, ...
  CHECK(seconds_of(Request::bcast(6, 1, 1'000'000, 1)) == 4);
  CHECK(seconds_of(Request::reduce(6, 1, 1'000'000, 1)) == 4);
  CHECK(seconds_of(Request::allgatherv(Blocks::equal(6, 1'000'000), 1)) == 24);
  CHECK(seconds_of(Request::alltoallv(6, AlltoallCounts::equal(6, 1'000'000), 1)) == 48);
}

TEST_CASE("hosts behind an uplink combine a vector and spread its result among themselves, but for what leaves") {
  Platform platform = with_figures(clusters_of_hosts({{1, 1, 1, 1, 1}, {1, 1}}), 5);
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  for (Host& host : platform.hosts) host = {.name = host.name, .latency = {}, .rate = {1'000'000, 0}};
  for (const Level& host : platform.levels.children.back().children) {
    std::ranges::find(platform.hosts, host.name, &Host::name)->rate = {1'000'000'000, 0};
  }
  for (Link& link : platform.links) link = {.a = link.a, .b = link.b};
  platform.levels.children.front().uplink = {1'000'000, 0};
  // Nine messages of a megabyte over five cards and the uplink; with a wide one, what each card takes in.
  const Request request = Request::allreduce(7, 1'000'000, 1);
  CHECK(lower_bound(request, platform) / (picoseconds_per_second / 100) == 150);
  platform.levels.children.front().uplink = {100'000'000, 0};
  CHECK(lower_bound(request, platform) / (picoseconds_per_second / 100) == 100);
}

TEST_CASE("as many sums cross a cut in a scan as ranks on either side alternate") {
  Platform platform = with_figures(clusters_of_hosts({{1, 1, 1, 1}, {1, 1}}), 5);
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  for (Host& host : platform.hosts) host = {.name = host.name, .latency = {}, .rate = {1'000'000'000, 0}};
  for (Link& link : platform.links) link = {.a = link.a, .b = link.b};
  platform.levels.children.front().uplink = {1'000'000, 0};
  const auto seconds_of = [&](const Request& request) {
    // Ranks 0, 2, 4 and 5 are in the first cluster.
    return lower_bound(request, platform, {0, 4, 1, 5, 2, 3}) / picoseconds_per_second;
  };
  CHECK(seconds_of(Request::scan(6, 1'000'000, 1)) == 2);
  CHECK(seconds_of(Request::exscan(6, 1'000'000, 1)) == 2);
}

TEST_CASE("blocks leave a host as fast as all of its messages together") {
  const Platform platform = with_figures(clusters_of_hosts({{1, 1, 1, 1}}), 5);
  const Request request = Request::scatterv(0, Blocks::equal(4, 100'000'000), 1);
  const auto bound = [&](int together) {
    return static_cast<double>(lower_bound(request, platform, all_in_order(4), {.together = {together}}));
  };
  CHECK(bound(1000) == static_cast<double>(lower_bound(request, platform)));
  CHECK(bound(500) == bound(1000));
  CHECK(bound(2000) == Approx(bound(1000) / 2).epsilon(0.01));
}

TEST_CASE("a vector reaches a far host after its way, at the rate of its link") {
  Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}}), 5);
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  for (Host& host : platform.hosts) host.rate = {1'000'000, 0};
  platform.links[0].latency = {5'000'000'000, 0};
  for (Level& cluster : platform.levels.children) cluster.latency = {1'000'000, 0};
  for (const Request& request : {Request::bcast(4, 0, 1'000'000, 1), Request::reduce(4, 0, 1'000'000, 1),
                                 Request::allreduce(4, 1'000'000, 1), Request::scan(4, 1'000'000, 1)}) {
    CHECK(lower_bound(request, platform) >= picoseconds_per_second + 5'000'000'000);
  }
}

TEST_CASE(
    "the bound of a broadcast between clusters is the long link's latency, or what its bytes take on the least port") {
  Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}}), 5);
  for (Processor& processor : platform.processors) processor.send_overhead = processor.receive_overhead = 0;
  for (Host& host : platform.hosts) host.rate = {1'000'000, 0};
  platform.hosts[3].rate = {10'000, 0};
  platform.links[0].latency = {5'000'000'000, 0};
  for (Level& cluster : platform.levels.children) cluster.latency = {1'000'000, 0};
  // A byte takes 0.1 ms at 10 kB/s.
  CHECK(lower_bound(Request::bcast(4, 0, 1, 1), platform) == 5'100'000'000);
  // 1 MB at 10 kB/s are 100 s, after the way to that host.
  CHECK(lower_bound(Request::bcast(4, 0, 1'000'000, 1), platform) == 100 * picoseconds_per_second + 5'000'000'000);
  platform.hosts[3].rate = {1'000'000, 0};
  platform.levels.children[0].uplink = {1'000, 0};
  const Rank inside = platform.levels.children[0].ranks.front();
  const Rank outside = platform.levels.children[1].ranks.front();
  for (const Rank root : {inside, outside}) {
    CHECK(lower_bound(Request::bcast(4, root, 1'000'000, 1), platform) ==
          1000 * picoseconds_per_second + 5'000'000'000);
  }
  platform.levels.children[0].uplink = {};
  platform.links[0].flows = 2;
  platform.links[0].total = {500, 0};
  CHECK(lower_bound(Request::bcast(4, 0, 1'000'000, 1), platform) == 2000 * picoseconds_per_second + 5'000'000'000);
  CHECK(lower_bound(Request::barrier(1), platform) == 0);
  CHECK(lower_bound(Request::bcast(4, 0, 0, 1), platform) == 0);
}

TEST_CASE("a way over a third cluster may be shorter than the direct one, if its ranks take part") {
  Platform platform = with_figures(clusters_of_hosts({{1}, {1}, {1}}), 7);
  const auto link = [&platform](int a, int b) -> Link& { return platform.links[link_index(a, b, 3)]; };
  link(0, 1).latency = link(1, 2).latency = {1'000'000'000, 0};
  link(0, 2).latency = {20'000'000'000, 0};
  const Multiport model = flowing(platform, {.together = {1000, 1000, 1000}});
  const Request all = Request::bcast(3, 0, 1, 1);
  const Picoseconds bound = lower_bound(all, platform);
  CHECK(bound < link(0, 2).latency.value);
  CHECK(bound > 2 * link(0, 1).latency.value);
  CHECK(predict(Plan(all, bcast_chain), model).makespan >= bound);
  const Request without = Request::bcast(2, 0, 1, 1);
  CHECK(lower_bound(without, platform, {0, 2}) > link(0, 2).latency.value);
}

TEST_CASE("the bound among some ranks of any platform is that of their own platform") {
  std::mt19937 random(18);
  RandomPlatform platforms(18);
  for (int ranks = 1; ranks <= 24; ++ranks) {
    const Platform platform = platforms.make(ranks);
    const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(ranks));
    const std::vector<Rank> members = test::some_ranks(ranks, count, random);
    const Platform part = part_of_platform(platform, members);
    for (const Operation operation : all_operations()) {
      const Rank root = is_rooted(operation) ? count / 2 : 0;
      Request request = test::request(operation, count, root, Spread::uneven, random);
      request.element_bytes = 100'000;
      INFO(name(operation) << " on " << count << " of " << ranks);
      CHECK(lower_bound(request, platform, members) == lower_bound(request, part));
    }
  }
}
