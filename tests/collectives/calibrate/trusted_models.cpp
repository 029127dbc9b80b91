#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/collectives/calibrate/trusted_models.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/units.hpp>

#include "models/figured_platform.hpp"
#include "models/model_laboratory.hpp"
#include "models/random_models.hpp"

using namespace tombolo;

namespace {

Platform knowing(Platform platform, const std::vector<std::string>& names, const PolyModel* poly = nullptr) {
  const Lmo machine = RandomModels(platform, 1).lmo(true);
  Estimates estimates;
  for (const std::string& name : names) {
    ModelLaboratory laboratory(machine);
    estimates[name].parameters = find_model(name).estimate(platform, laboratory);
  }
  if (!names.empty()) store_estimates(platform, estimates);
  if (poly != nullptr) platform.sections[poly_section] = to_json(*poly);
  return platform;
}

Platform two_clusters() {
  return with_figures(clusters_of_hosts({{1, 1}, {1, 1}}), 1);
}

std::string believed(const TrustedModels& trusted, const Request& request, const Algorithm& algorithm) {
  const ModelFor chooser = trusted.chooser();
  CHECK(&chooser(request, algorithm) == &trusted.model_for(request, algorithm));
  return trusted.model_for(request, algorithm).name();
}

}  // namespace

TEST_CASE("nothing estimated: what the platform knows; estimates alone: the most detailed of them") {
  const Request request = Request::bcast(4, 0, 100, 1);
  const Platform bare = two_clusters();
  const TrustedModels of_bare(bare);
  CHECK(believed(of_bare, request, bcast_flat) == "multiport");
  const Platform some = knowing(bare, {"loggp", "plogp", "hockney"});
  CHECK(believed(TrustedModels(some), request, bcast_flat) == "plogp");
  CHECK(believed(TrustedModels(knowing(bare, {"hockney"})), request, bcast_flat) == "hockney");
}

TEST_CASE("the poly-model of all ranks decides by operation, algorithm and size") {
  const PolyModel poly{{{"c0", Operation::bcast, "flat", {{0, "plogp", 0, 1}}},
                        {"all", Operation::bcast, "flat", {{0, "hockney", 0, 1}, {1000, "loggp", 0, 1}}},
                        {"all", Operation::bcast, "", {{0, "lmo", 0, 1}}},
                        {"all", Operation::scatterv, "", {{0, "hockney", 0, 1}, {1000, "loggp", 0, 1}}},
                        {"all", Operation::alltoallv, "", {{0, "hockney", 0, 1}, {1000, "loggp", 0, 1}}},
                        {"all", Operation::reduce, "", {{0, "contention", 0, 1}}}}};
  const Platform platform = knowing(two_clusters(), {"hockney", "loggp", "plogp", "lmo"}, &poly);
  const TrustedModels trusted(platform);
  CHECK(believed(trusted, Request::bcast(4, 0, 124, 8), bcast_flat) == "hockney");
  CHECK(believed(trusted, Request::bcast(4, 0, 125, 8), bcast_flat) == "loggp");
  CHECK(believed(trusted, Request::bcast(4, 0, 125, 8), bcast_chain) == "lmo");
  // Of blocks, the mean; counts that not all ranks know decide nothing.
  const Request uneven = Request::scatterv(0, Blocks({0, 0, 0, 4000}), 1);
  CHECK(believed(trusted, uneven, scatterv_flat) == "loggp");
  CHECK(believed(trusted, Request::scatterv(0, Blocks({0, 0, 0, 3996}), 1), scatterv_flat) == "hockney");
  CHECK(believed(trusted, uneven.knowing(Knowledge::as_in_mpi).seen_by(1), scatterv_flat) == "hockney");
  CHECK(believed(trusted, Request::alltoallv(4, AlltoallCounts::equal(4, 125), 8), alltoallv_direct) == "loggp");
  CHECK(believed(trusted, Request::alltoallv(4, AlltoallCounts::equal(4, 124), 8), alltoallv_direct) == "hockney");
  // Nobody timed it, or what is believed cannot run a plan: the most detailed one.
  CHECK(believed(trusted, Request::barrier(4), barrier_dissemination) == "lmo");
  CHECK(believed(trusted, Request::reduce(4, 0, 5, 8), reduce_binomial) == "lmo");
}

TEST_CASE("one cluster's poly-model is that of all its ranks") {
  const PolyModel poly{{{"c0", Operation::bcast, "", {{0, "hockney", 0, 1}}}}};
  const Platform platform = knowing(with_figures(flat_cluster(3), 1), {"hockney", "plogp"}, &poly);
  CHECK(believed(TrustedModels(platform), Request::bcast(3, 0, 10, 1), bcast_flat) == "hockney");
  const Platform alone = knowing(flat_cluster(1), {}, &poly);
  CHECK(believed(TrustedModels(alone), Request::bcast(1, 0, 10, 1), bcast_flat) == "multiport");
}

TEST_CASE("some of the ranks are believed as in their own scope, and see the whole's models under their own numbers") {
  const PolyModel poly{{{"c0", Operation::bcast, "", {{0, "hockney", 0, 1}}},
                        {"between clusters", Operation::bcast, "", {{0, "loggp", 0, 1}}},
                        {"all", Operation::bcast, "", {{0, "lmo", 0, 1}}}}};
  const Platform platform =
      knowing(with_figures(clusters_of_hosts({{1, 1, 1}, {1, 1}}), 1), {"hockney", "loggp", "plogp", "lmo"}, &poly);
  const TrustedModels whole(platform);
  const auto among = [&](const std::vector<Rank>& members) {
    const TrustedModels part(whole, platform, members);
    const Model& model = part.model_for(Request::bcast(static_cast<int>(members.size()), 0, 100, 1), bcast_flat);
    const auto same = stored_model(platform, stored_estimates(platform), model.name());
    CHECK(model.local(777) == same->local(777));
    for (std::size_t r = 1; r < members.size(); ++r) {
      CHECK(message_time(model, 0, static_cast<Rank>(r), 5000) == message_time(*same, members[0], members[r], 5000));
    }
    return part.scope() + ": " + model.name();
  };
  const std::vector<Rank>& first = platform.levels.children[0].ranks;
  const std::vector<Rank>& second = platform.levels.children[1].ranks;
  CHECK(among({first[2], first[0]}) == "c0: hockney");
  CHECK(among({second[0], second[1]}) == "c1: lmo");  // nobody timed anything there: the most detailed one
  CHECK(among({second[1], first[2]}) == "between clusters: loggp");
  CHECK(among({second[1], first[2], second[0]}) == "all: lmo");
  CHECK(whole.scope() == "all");
}

TEST_CASE("an LMO model predicts with the thresholds of clusters, on some of the ranks too") {
  const GatherThresholds gathers{.small = 1000, .large = 9000, .small_slope = 1, .large_slope = 500'000'000'000};
  Platform platform = knowing(with_figures(clusters_of_hosts({{1, 1, 1}, {1, 1}}), 1), {"lmo"});
  store_thresholds(platform, {{.scope = "c0", .ranks = 3, .scatter = 100, .gather = gathers}});
  const PlatformModel expected = platform_model(platform, stored_estimates(platform), "lmo");
  const TrustedModels whole(platform);
  const std::vector<Rank>& first = platform.levels.children[0].ranks;
  for (const std::vector<Rank>& members : {first, {first[2], first[0]}, {first[1], 3, first[0]}}) {
    const TrustedModels part(whole, platform, members);
    const int ranks = static_cast<int>(members.size());
    const Request gather = Request::gatherv(0, Blocks::equal(ranks, 10'000), 1);
    const Model& flat = part.model_for(gather, gatherv_flat);
    const Model& other = part.model_for(gather, gatherv_binomial);
    for (Rank rank = 1; rank < ranks; ++rank) {
      const Rank from = members[static_cast<std::size_t>(rank)];
      CHECK(flat.message(rank, 0, 10'000).receive == expected.linear_gather->message(from, members[0], 10'000).receive);
      CHECK(other.message(rank, 0, 10'000).send == expected.usual->message(from, members[0], 10'000).send);
      CHECK(&part.model_within(gather, {0, rank}) == &other);
    }
  }
}

TEST_CASE("a model by name predicts everything, and an estimate of hockney's goes before what is known of links") {
  const PolyModel poly{{{"all", Operation::bcast, "", {{0, "hockney", 0, 1}}}}};
  const Platform platform = knowing(two_clusters(), {"hockney", "plogp"}, &poly);
  const Request request = Request::bcast(4, 0, 10, 1);
  CHECK(believed(TrustedModels(platform, "plogp"), request, bcast_flat) == "plogp");
  CHECK(TrustedModels(platform, "hockney").model_for(request, bcast_flat).describe() !=
        hockney_of(platform).describe());
  CHECK(TrustedModels(platform).model_for(request, bcast_flat).describe() ==
        TrustedModels(platform, "hockney").model_for(request, bcast_flat).describe());
  CHECK_THROWS_WITH(TrustedModels(two_clusters(), "hockney"), Catch::Contains("no estimate of the model hockney; "));
  CHECK_THROWS_WITH(TrustedModels(platform, "lmo"), Catch::Contains("no estimate of the model lmo; "));
  CHECK_THROWS_WITH(TrustedModels(platform, "dance"), Catch::Contains("'dance'; choose one of hockney, "));
}

TEST_CASE("sections that are not right are told of in one line") {
  Platform platform = two_clusters();
  platform.sections[poly_section] = "{}";
  CHECK_THROWS_WITH(TrustedModels(platform), Catch::StartsWith("the platform's section \"poly\": ") &&
                                                 Catch::Contains("is an object, not a list"));
  platform = knowing(two_clusters(), {"plogp"});
  platform.levels.children[1].name = "elsewhere";
  CHECK_THROWS_WITH(TrustedModels(platform), Catch::StartsWith("parameters of plogp: ") &&
                                                 Catch::Contains("elsewhere") && !Catch::Contains("\n"));
}
