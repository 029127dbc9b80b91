// A flow that is alone takes as long as among flows of which it is the only one.

#include <random>

#include <catch2/catch.hpp>

#include <tombolo/models/network/flow_time.hpp>
#include <tombolo/models/network/flows.hpp>

#include "models/given_network.hpp"

using namespace tombolo;

TEST_CASE("a flow alone takes what it takes among flows") {
  std::mt19937_64 random(7);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  for (int round = 0; round < 500; ++round) {
    test::Given network;
    Network::Route route{.uses = {}, .weight = 1 + below(1 << 20)};
    for (std::int64_t links = below(5); links > 0; --links) {
      route.uses.push_back({network.link(1 + below(10'000'000'000)), static_cast<int>(1 + below(Network::whole))});
    }
    network.routes = {route};
    const Flow flow{.bytes = 1 + below(1 << 30),
                    .most = below(2) == 0 && !route.uses.empty() ? 0 : 1 + below(10'000'000'000)};
    Flows flows(network);
    flows.start(0, 0, 0, flow, 0);
    const double among = seconds(flows.next_end());
    CHECK(seconds(flow_time(network, 0, 0, flow)) == Approx(among).epsilon(0.01).margin(1e-9));
  }
}
