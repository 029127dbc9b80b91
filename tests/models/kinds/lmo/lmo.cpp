#include <algorithm>
#include <limits>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/units.hpp>

#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;

namespace {

constexpr PerMegabyte per_byte = megabyte;  // 1 ps

// Ranks 0 to 2 with C = 10, 20, 30 and t = 1, 2, 3; L = 5, 6, 7 and 1 / beta = 4, 5, 6 of (1, 0), (2, 0), (2, 1).
Lmo::Parameters three() {
  Lmo::Parameters parameters{.links = LinkTable{PairClasses(flat_cluster(3))}, .extended = true};
  for (int rank = 1; rank <= 3; ++rank) parameters.processors.push_back({Picoseconds{10} * rank, rank * per_byte});
  int next = 0;
  for (LinkCost& link : parameters.links.inside(0)) {
    link = {5 + next, (4 + next) * per_byte};
    ++next;
  }
  return parameters;
}

}  // namespace

TEST_CASE("a message takes C_i + M t_i + L_ij + M / beta_ij + M t_j + C_j") {
  const Lmo model(three());
  CHECK(model.name() == "lmo-extended");
  for (const Bytes bytes : {0, 1, 1000}) {
    CHECK(message_time(model, 0, 1, bytes) == 10 + 20 + 5 + bytes * (1 + 2 + 4));
    CHECK(message_time(model, 2, 0, bytes) == 30 + 10 + 6 + bytes * (3 + 1 + 5));
    const MessageCost cost = model.message(2, 1, bytes);
    CHECK(cost.overhead == 30);
    CHECK(cost.send == 30 + 3 * bytes);
    CHECK(cost.transit == 30 + 3 * bytes + 7 + 6 * bytes);
    CHECK(cost.receive == 2 * bytes);
    CHECK(cost.receive_overhead == 20);
  }
  CHECK(model.longest_latency() == 30 + 30 + 7);
  CHECK_THROWS_AS(model.message(1, 1, 0), Error);
}

TEST_CASE("a message above S keeps the sender's port until it has arrived") {
  Lmo::Parameters parameters = three();
  parameters.serialised_above = 100;
  const Lmo model(parameters);
  CHECK(model.message(0, 1, 100).send == 110);
  CHECK(model.message(0, 1, 101).send == message_time(model, 0, 1, 101));
  CHECK(message_time(model, 0, 1, 101) == message_time(Lmo(three()), 0, 1, 101));
}

TEST_CASE("S of a cluster is of messages inside it, and is written with it") {
  const Platform platform = clusters_of_hosts({{1, 1, 1}, {1, 1, 1}});
  for (const bool extended : {false, true}) {
    Lmo::Parameters parameters = RandomModels(platform, 2).lmo(extended).parameters();
    parameters.memory_rate = memory_rate_of(platform);
    const Lmo plain(parameters);
    for (const std::optional<Bytes> all : {std::optional<Bytes>{}, std::optional<Bytes>{500}}) {
      parameters.serialised_above = all;
      parameters.serialised_inside = {std::nullopt, 100};
      const Lmo model(read_lmo(platform, written_lmo(parameters), extended));
      CHECK(model.parameters() == parameters);
      const std::vector<Rank>& second = platform.levels.children[1].ranks;
      for (Rank from = 0; from < 6; ++from) {
        for (Rank to = 0; to < from; ++to) {
          const bool inside = std::ranges::count(second, from) + std::ranges::count(second, to) == 2;
          for (const Bytes bytes : {0, 100, 101, 500, 501}) {
            const bool serial = (inside && bytes > 100) || bytes > all.value_or(never);
            CHECK(model.message(from, to, bytes).send ==
                  (serial ? message_time(plain, from, to, bytes) : plain.message(from, to, bytes).send));
          }
        }
      }
    }
  }
}

TEST_CASE("linear scatters take what equation 8 says") {
  const Platform platform = flat_cluster(9);
  Lmo::Parameters parameters = RandomModels(platform, 1).lmo(false).parameters();
  parameters.serialised_above = 50'000;
  const Lmo model(parameters);
  for (const Bytes bytes : {0, 1000, 50'000, 50'001, 1'000'000}) {
    // As the predictor has it: the next message starts when the processor and the port are free.
    Picoseconds start = 0;
    Picoseconds end = 0;
    Picoseconds serial = 0;
    Picoseconds longest = 0;
    Picoseconds all = 0;
    for (Rank to = 1; to < 9; ++to) {
      end = std::max(end, start + message_time(model, 0, to, bytes));
      const MessageCost cost = model.message(0, to, bytes);
      start += std::max(cost.overhead, cost.send);
      const auto& root = parameters.processors[0];
      const auto& rank = parameters.processors[static_cast<std::size_t>(to)];
      const Picoseconds other =
          rank.fixed + time_for(bytes, rank.per_megabyte) + time_for(bytes, parameters.links.at(0, to).per_megabyte);
      serial += root.fixed + time_for(bytes, root.per_megabyte);
      longest = std::max(longest, other);
      all += other;
    }
    if (bytes > 50'000) {
      CHECK(end == serial + all);
    } else {  // an upper bound, reached where the last one takes longest
      CHECK(end <= serial + longest);
      CHECK(end >= serial);
    }
  }
}

TEST_CASE("what is negative shortens the message, but no part of it below 0") {
  Lmo::Parameters parameters = three();
  parameters.links.inside(0)[0].per_megabyte = -2 * per_byte;
  CHECK(message_time(Lmo(parameters), 0, 1, 100) == 35 + 100);
  CHECK(Lmo(parameters).message(0, 1, 100).receive == 115);  // of 200: the message is there before

  parameters.processors[1].per_megabyte = -4 * per_byte;
  for (const Bytes bytes : {0, 1, 10, 1000}) {
    for (const auto& [from, to] : {std::pair(0, 1), std::pair(1, 0), std::pair(2, 1)}) {
      const MessageCost cost = Lmo(parameters).message(from, to, bytes);
      CHECK(std::min({cost.overhead, cost.send, cost.transit, cost.receive, cost.receive_overhead}) >= 0);
    }
  }
  CHECK(message_time(Lmo(parameters), 0, 1, 1000) == 0);
  CHECK(Lmo(three()).message(0, 1, std::numeric_limits<Bytes>::max()).send == never);
}

TEST_CASE("parameters of LMO that no machine has are refused") {
  Lmo::Parameters parameters = three();
  parameters.processors[2].fixed = -1;
  CHECK_THROWS_AS(Lmo(parameters), Error);
  parameters = three();
  parameters.memory_rate = 0;
  CHECK_THROWS_AS(Lmo(parameters), Error);
  parameters = three();
  parameters.serialised_above = -1;
  CHECK_THROWS_AS(Lmo(parameters), Error);
  parameters = three();
  parameters.serialised_inside = {-1};
  CHECK_THROWS_AS(Lmo(parameters), Error);
}
