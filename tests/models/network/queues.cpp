#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/models/network/flows.hpp>
#include <tombolo/models/network/queues.hpp>

#include "models/given_network.hpp"

using namespace tombolo;
using test::Given;

namespace {

Picoseconds last_end(Traffic& traffic) {
  Picoseconds last = 0;
  while (!traffic.empty()) {
    last = traffic.next_end();
    traffic.end(last);
  }
  return last;
}

}  // namespace

TEST_CASE("flows queue for a link, each link for itself, and a flow's own limit holds") {
  Given network;
  const int wide = network.link(1'000'000);
  const int narrow = network.link(500'000);
  network.routes = {{.uses = {{wide, 1000}}}, {.uses = {{wide, 1000}, {narrow, 1000}}}, {.uses = {{wide, 100}}}};
  Queues queues(network);
  const Picoseconds second = picoseconds_per_second;
  queues.start(7, 0, 9, {.bytes = 1'000'000, .most = 0}, 0);
  CHECK(queues.next_end() == second);
  queues.start(8, 1, 9, {.bytes = 1'000'000, .most = 0}, 0);
  queues.start(9, 0, 9, {.bytes = 100, .most = 10}, 0);
  CHECK(queues.end(second) == std::vector<int>{7});
  CHECK(queues.next_end() == 2 * second);
  CHECK(queues.end(2 * second) == std::vector<int>{8});
  // What takes a part of the link only.
  queues.start(5, 2, 9, {.bytes = 1'000'000, .most = 0}, 3 * second);
  CHECK(queues.next_end() == 3 * second + second / 10);
  CHECK(queues.end(queues.next_end()) == std::vector<int>{5});
  CHECK(queues.end(10 * second) == std::vector<int>{9});
  CHECK(queues.empty());
  CHECK(queues.next_end() == never);
}

TEST_CASE("all flows together are through no later than where they share links fairly") {
  std::mt19937 random(3);
  const auto number = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int run = 0; run < 100; ++run) {
    Given network;
    const int links = number(1, 5);
    for (int l = 0; l < links; ++l) network.link(number(1, 100) * 100'000);
    const int jobs = number(1, 30);
    for (int job = 0; job < jobs; ++job) {
      Network::Route route{.uses = {{number(0, links - 1), 1000}}, .weight = number(1, 9)};
      const int other = number(0, links - 1);
      if (other != route.uses.front().link) route.uses.push_back({other, 1000});
      network.routes.push_back(std::move(route));
    }
    Queues queues(network);
    Flows flows(network);
    for (int job = 0; job < jobs; ++job) {
      const Flow flow{.bytes = number(1, 1'000'000), .most = 0};
      queues.start(job, job, 0, flow, 0);
      flows.start(job, job, 0, flow, 0);
    }
    const Picoseconds queued = last_end(queues);
    INFO("run " << run);
    CHECK(queued <= last_end(flows) + queued / 100);
  }
}
