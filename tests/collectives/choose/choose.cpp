#include <algorithm>
#include <bit>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/parameter_search.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/platform/description/routes.hpp>

#include "collectives/choose_by_model.hpp"
#include "collectives/requests.hpp"
#include "models/figured_platform.hpp"
#include "models/test_platforms.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using test::Spread;

namespace {

const std::vector<int> few_to_many =
    test::sanitized() ? std::vector{2, 3, 9, 33, 100} : std::vector{2, 3, 9, 33, 100, 1000, 10'000};
const Hockney model({.latency = 50'000'000, .rate = 125'000'000});

// ceil(log2(ranks))
int doublings(int ranks) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1));
}

// The host of each rank.
std::vector<int> hosts_of(const Platform& platform) {
  const Routes routes(platform);
  std::vector<int> hosts;
  for (Rank rank = 0; rank < platform.ranks(); ++rank) hosts.push_back(routes.host_of(rank));
  return hosts;
}

}  // namespace

TEST_CASE("the chosen plan is predicted to be as fast as any candidate, within 1 %, and they are in order") {
  std::mt19937 random(1);
  for (const Operation operation : all_operations()) {
    const Request request = test::request(operation, 12, 5, Spread::uneven, random);
    const auto all = candidates(request, model);
    const auto known = algorithms_for(operation);
    CHECK(static_cast<std::ptrdiff_t>(all.size()) >= std::count_if(known.begin(), known.end(), [](const Algorithm* a) {
            return !a->throttles && !a->is_mapped() && !a->baseline;
          }));
    for (const Candidate& each : all) CHECK_FALSE(each.plan.algorithm().baseline);
    CHECK(std::is_sorted(all.begin() + 1, all.end(),
                         [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; }));
    for (const Candidate& rival : all) CHECK(all.front().predicted <= rival.predicted + rival.predicted / 99);
    CHECK(choose(request, model) == all.front().plan);
  }
}

TEST_CASE("a rank alone gets a plan of every operation by a model that knows of no other rank") {
  std::mt19937 random(1);
  const Platform platform = flat_cluster(1);
  const Multiport alone = multiport_of(platform);
  for (const Operation operation : all_operations()) {
    const Request request = test::request(operation, 1, 0, Spread::uneven, random);
    CHECK(choose(request, alone).request() == request);
  }
}

TEST_CASE("what is chosen without a look at all is nearly as fast as the best of all") {
  std::mt19937 random(5);
  for (const Operation operation : all_operations()) {
    for (const int ranks : test::sanitized() ? std::vector{7} : std::vector{2, 7, 24}) {
      for (const std::int64_t scale : {1, 100, 10'000}) {
        Request request = test::request(operation, ranks, ranks / 2, Spread::uneven, random);
        request.count *= scale;
        const auto any = [](const Request&, const Algorithm&) -> const Model& { return model; };
        const Candidate chosen = choose(request, any);
        const Picoseconds best = candidates(request, model).front().predicted;
        CHECK(std::abs(chosen.predicted - best) <= best / 10);
      }
    }
  }
}

TEST_CASE("on hosts of several ranks the chosen plan takes as long as was said when it was chosen") {
  std::mt19937 random(5);
  for (unsigned seed = 0; seed < (test::sanitized() ? 1U : 6U); ++seed) {
    const std::vector<std::vector<int>> clusters = {{4, 3, 4}, {5, 2, 4}};
    const Platform platform = with_figures(clusters_of_hosts(clusters), seed);
    const Multiport ports = multiport_of(platform);
    const Hierarchy hierarchy(platform);
    const PlatformKnowledge knowledge{.hierarchy = &hierarchy, .hosts = hosts_of(platform)};
    for (const Operation operation : all_operations()) {
      for (const std::int64_t bytes : {4'000, 500'000}) {
        Request request = test::request(operation, platform.ranks(), 0, Spread::equal, random);
        request.element_bytes = bytes / 10;
        const Candidate chosen = choose(request, always(ports), knowledge);
        INFO(chosen.plan.describe() << " of " << name(operation) << ", seed " << seed);
        const Picoseconds taken = pipeline_time(chosen.plan, ports);
        CHECK(std::abs(chosen.predicted - taken) <= taken / 100);
      }
    }
  }
}

TEST_CASE("a ring goes from rank to rank of a host, also where ranks were dealt to hosts in turn") {
  const Platform platform = with_figures(clusters_of_hosts({{4, 4, 4, 4}}), 1);
  const Multiport ports = multiport_of(platform);
  const Hierarchy hierarchy(platform);
  const Request request = Request::allreduce(16, 100'000, 8);
  const auto best = [&](const std::vector<int>& hosts) {
    const auto all = candidates_of(allreduce_ring, request, ports, {.hierarchy = &hierarchy, .hosts = hosts});
    return std::ranges::min(all, {}, &Candidate::predicted);
  };
  const Candidate without = best({});
  const Candidate with = best(hosts_of(platform));
  CHECK(without.plan.parameters().order.empty());
  CHECK(with.plan.parameters().order == order_of_groups(request, NearRanks::adjacent, hierarchy));
  CHECK(with.predicted < without.predicted);
}

TEST_CASE("small vectors go down a tree in whole, large ones in segments") {
  CHECK(choose(Request::bcast(16, 0, 8, 1), model).algorithm().name == "binomial");
  const Plan large = choose(Request::bcast(16, 0, 64 << 20, 1), model);
  CHECK(large.parameters().segment_bytes > 0);
}

TEST_CASE("over equal links a broadcast takes at most a fifth longer than the fewest rounds, for any number of ranks") {
  for (const int ranks : few_to_many) {
    const int filling = doublings(ranks) - 1;
    for (const Bytes bytes : {64, 65'536, 1 << 20}) {
      if (ranks > 1000 && bytes != 1 << 20) continue;  // each takes seconds
      Picoseconds fewest = never;
      for (std::int64_t segments = 1; segments <= 200; ++segments)
        fewest = std::min(fewest, (segments + filling) * model.time((bytes + segments - 1) / segments));
      INFO(ranks << " ranks, " << bytes << " bytes");
      const auto any = [](const Request&, const Algorithm&) -> const Model& { return model; };
      CHECK(choose(Request::bcast(ranks, 0, bytes, 1), any).predicted <= fewest + fewest / 5);
      // Combining takes further time.
      const Picoseconds combining = 2 * model.local(bytes);
      CHECK(choose(Request::reduce(ranks, 0, bytes, 1), any).predicted <= fewest + fewest / 5 + combining);
    }
  }
}

TEST_CASE(
    "over equal links an allgather takes hardly longer than the fewest rounds and the bytes that a rank receives") {
  for (const int ranks : few_to_many) {
    constexpr Bytes block = 1000;
    const Picoseconds fewest = doublings(ranks) * model.time(0) + model.time((ranks - 1) * block) - model.time(0);
    const auto any = [](const Request&, const Algorithm&) -> const Model& { return model; };
    INFO(ranks << " ranks");
    CHECK(choose(Request::allgatherv(Blocks::equal(ranks, block), 1), any).predicted <= fewest + fewest / 20);
  }
}

TEST_CASE("over equal links an allreduce takes hardly longer than twice the rounds and bytes of its halves") {
  for (const int ranks : few_to_many) {
    const int rounds = doublings(ranks);
    for (const std::int64_t count : {131'072, 1 << 20}) {
      if (ranks > 1000 && count != 1 << 20) continue;
      const Picoseconds halves = 2 * (rounds * model.time(0) + model.time(count * 8) - model.time(0));
      const auto any = [](const Request&, const Algorithm&) -> const Model& { return model; };
      INFO(ranks << " ranks, " << count << " elements");
      CHECK(choose(Request::allreduce(ranks, count, 8), any).predicted <=
            halves + halves / 20 + 2 * model.local(count * 8));
    }
  }
}

TEST_CASE("over equal links tiny vectors are combined in as many rounds as there are bits, for any number of ranks") {
  for (const int ranks : {3, 5, 7, 13, 31, 53}) {
    const int rounds = doublings(ranks);
    const Candidate chosen =
        choose(Request::allreduce(ranks, 8, 8), [](const Request&, const Algorithm&) -> const Model& { return model; });
    INFO(ranks << " ranks, " << chosen.plan.how());
    CHECK(chosen.predicted <=
          rounds * model.time(0) + (ranks - 1) * (model.time(64) - model.time(0)) + model.time(0) / 10);
  }
}

TEST_CASE("over equal links whole vectors are combined in as many rounds as there are bits, for any number of ranks") {
  constexpr Bytes bytes = 4096;
  for (const int ranks : {3, 5, 7, 13, 31, 53}) {
    const int rounds = doublings(ranks);
    const Candidate chosen = choose(Request::allreduce(ranks, bytes / 8, 8),
                                    [](const Request&, const Algorithm&) -> const Model& { return model; });
    INFO(ranks << " ranks, " << chosen.plan.how());
    CHECK(chosen.predicted <= rounds * (model.time(bytes) + 2 * model.local(bytes)) + model.local(bytes));
  }
}

TEST_CASE("over equal links a scan of a long vector takes hardly longer than an allreduce of it") {
  const auto any = [](const Request&, const Algorithm&) -> const Model& { return model; };
  for (const Operation operation : {Operation::scan, Operation::exscan}) {
    for (const int ranks : {4, 16, 64}) {
      const Request request = Request::of_vector(operation, ranks, 0, 1 << 18, 8);
      const Picoseconds allreduce = choose(Request::allreduce(ranks, 1 << 18, 8), any).predicted;
      CHECK(choose(request, any).predicted <= allreduce + allreduce / 4);
    }
  }
}

TEST_CASE("over equal links an allgather with one large block takes hardly longer than a broadcast of it") {
  for (const int ranks : {5, 9, 33}) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks), 8);
    counts[2] = 1 << 20;
    const int filling = doublings(ranks) - 1;
    Picoseconds fewest = never;
    for (std::int64_t segments = 1; segments <= 200; ++segments)
      fewest = std::min(fewest, (segments + filling) * model.time(((1 << 20) + segments - 1) / segments));
    const Candidate chosen = choose(Request::allgatherv(Blocks(counts), 1),
                                    [](const Request&, const Algorithm&) -> const Model& { return model; });
    INFO(ranks << " ranks, " << chosen.plan.how());
    CHECK(chosen.predicted <= fewest + fewest / 4);
  }
}

TEST_CASE("of algorithms that are predicted alike the simplest is taken") {
  // All the root's data leaves it one after the other, however that goes on: a tree saves some latencies in seconds.
  const Request request = Request::scatterv(0, Blocks::equal(16, 10'000'000), 8);
  CHECK(choose(request, model).algorithm().name == "flat");
  CHECK(choose(Request::scatterv(0, Blocks::equal(16, 1), 8), model).algorithm().name == "binomial");
}

TEST_CASE("of plans that are predicted alike none sends less") {
  std::mt19937 random(3);
  const auto sent = [](const Plan& plan) {
    return sum_over_sends(plan, [](Rank, const Step& step) { return step.count; });
  };
  for (const Operation operation : {Operation::scatterv, Operation::gatherv, Operation::bcast, Operation::reduce}) {
    for (const int ranks : {5, 12}) {
      Request request = test::request(operation, ranks, 1, Spread::equal, random);
      request.element_bytes = 1'000;
      const auto all = candidates(request, model);
      const Picoseconds least = std::ranges::min(all, {}, &Candidate::predicted).predicted;
      INFO(all.front().plan.describe());
      for (const Candidate& each : all) {
        if (each.predicted <= least + least / 100) CHECK(sent(all.front().plan) <= sent(each.plan));
      }
    }
  }
}

TEST_CASE("many segments are predicted by a few, as if all were simulated") {
  const Request request = Request::bcast(9, 2, 50'000'000, 4);
  for (const Candidate& candidate : candidates(request, model)) {
    if (candidate.plan.algorithm().period != nullptr) continue;
    if (request.count * 4 / std::max<Bytes>(candidate.plan.parameters().segment_bytes, 1) > 4000) continue;
    const Picoseconds simulated = predict(candidate.plan, model).makespan;
    CHECK(std::abs(candidate.predicted - simulated) <= simulated / 200);
  }
}

TEST_CASE("a window covers the longest latency") {
  const Request request = Request::bcast(9, 2, 50'000'000, 4);
  const Hockney far({.latency = 50'000'000, .rate = 125'000'000, .longest_latency = 10'000'000'000});
  const Plan near = choose(request, model);
  REQUIRE(near.parameters().segment_bytes > 0);
  CHECK(near.parameters().window >= 2);
  CHECK(near.parameters().window < choose(request, far).parameters().window);
}

TEST_CASE("what only the root knows does not decide") {
  for (const std::int64_t block : {1, 1000, 1'000'000}) {
    const Request request = Request::scatterv(3, Blocks::equal(9, block), 8);
    const Plan at_root = choose(request.with_in_place(true), model);
    const Plan elsewhere = choose(request, model);
    CHECK(&at_root.algorithm() == &elsewhere.algorithm());
    CHECK(at_root.parameters() == elsewhere.parameters());
    CHECK(at_root.request().in_place);
  }
  // Counts as MPI gives them: every rank sees others, and all choose alike.
  const Request request = Request::gatherv(0, Blocks({5, 1000, 3, 0}), 8).knowing(Knowledge::as_in_mpi);
  for (Rank rank = 0; rank < 4; ++rank) {
    CHECK(&choose(request.seen_by(rank), model).algorithm() == &choose(request, model).algorithm());
  }
}

TEST_CASE("counts that the root alone knows are learned where that gains enough, in one way for all counts") {
  for (const Operation operation : {Operation::gatherv, Operation::scatterv}) {
    for (const Rank root : {0, 17}) {
      const auto with = [&](const Blocks& blocks) {
        Request request = Request::gatherv(root, blocks, 8).knowing(Knowledge::as_in_mpi);
        request.operation = operation;
        return request;
      };
      const Plan plan = choose(with(Blocks::equal(64, 1)), model);
      CHECK(plan.learns());
      const Bytes most = plan.parameters().direct_above;
      // The limit is where learning still halves the time.
      const Algorithm& direct = operation == Operation::gatherv ? gatherv_flat : scatterv_flat;
      const auto time = [&](const Algorithm& algorithm, const Parameters& parameters, Bytes bytes) {
        return predict(Plan(with(Blocks::equal(64, bytes / 8)), algorithm, parameters), model).makespan;
      };
      Parameters in_tree = plan.parameters();
      in_tree.direct_above = 0;
      CHECK(time(plan.algorithm(), in_tree, most) <= time(direct, {}, most) / 2);
      CHECK(time(plan.algorithm(), in_tree, most * 2) > time(direct, {}, most * 2) / 2);
      // Every rank sees other counts, none of which decides.
      std::mt19937 random(4);
      const Request uneven = with(Blocks(test::counts(64, Spread::uneven, random)));
      for (const Rank rank : {0, 17, 63}) {
        const Plan mine = choose(uneven.seen_by(rank), model);
        CHECK((&mine.algorithm() == &plan.algorithm() && mine.parameters() == plan.parameters()));
      }
      CHECK(predict(Plan(uneven, plan.algorithm(), plan.parameters()), model).makespan <
            predict(Plan(uneven, direct), model).makespan);
      // Above the limit nothing is in the tree but what was learned.
      CHECK(time(plan.algorithm(), plan.parameters(), most * 100) < time(direct, {}, most * 100) * 11 / 10);
    }
  }
  CHECK_FALSE(choose(Request::gatherv(0, Blocks::equal(3, 1), 8).knowing(Knowledge::as_in_mpi), model).learns());
  CHECK_FALSE(choose(Request::gatherv(0, Blocks::equal(64, 1), 0).knowing(Knowledge::as_in_mpi), model).learns());
}

TEST_CASE("exchanges that all ranks know are chosen for by prediction, and alike on all") {
  std::mt19937 random(3);
  const Blocks rows(test::counts(9, Spread::uneven, random));
  const Request request = Request::alltoallv(9, AlltoallCounts::product(rows, Blocks::equal(9, 1000)), 8);
  const Plan plan = choose(request, model);
  CHECK(candidates(request, model).size() == 5);  // direct, pairwise and bruck, and what refining and pacing add
  for (Rank rank = 0; rank < 9; ++rank) CHECK(choose(request.seen_by(rank), model) == plan);
}

TEST_CASE("exchanges and gathers that would flood a port are paced where that costs nothing") {
  constexpr Bytes small = 1024;
  constexpr Bytes large = Bytes{256} * 1024;
  const auto all = [](Operation operation, int ranks, Bytes bytes) {
    return candidates(operation == Operation::gatherv
                          ? Request::gatherv(0, Blocks::equal(ranks, bytes), 1)
                          : Request::alltoallv(ranks, AlltoallCounts::equal(ranks, bytes), 1),
                      model);
  };
  for (const Operation operation : {Operation::gatherv, Operation::alltoallv}) {
    for (const int ranks : {6, 16, 33}) {
      CAPTURE(ranks);
      const auto rivals = all(operation, ranks, large);
      CHECK(std::ranges::any_of(rivals, [](const Candidate& c) { return floods_a_port(c.plan); }));
      CHECK_FALSE(floods_a_port(rivals.front().plan));
      for (const Candidate& each : all(operation, ranks, small)) CHECK_FALSE(floods_a_port(each.plan));
    }
  }
}

TEST_CASE("huge vectors and many ranks are chosen for without simulating too many steps") {
  CHECK_NOTHROW(choose(Request::bcast(512, 0, std::int64_t{1} << 40, 1), model));
}

TEST_CASE("small blocks are forwarded, but not where the direct exchange is too large to be predicted") {
  const auto chosen = [](int ranks, std::int64_t bytes) {
    return choose(Request::alltoallv(ranks, AlltoallCounts::equal(ranks, bytes), 1), model).algorithm().name;
  };
  CHECK(chosen(64, 8) == "bruck");
  CHECK(chosen(64, 100'000) == "direct");
  CHECK(chosen(300, 100'000) == "direct");
}
