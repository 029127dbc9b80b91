#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/guesses.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/json/json.hpp>

#include "models/figured_platform.hpp"

using namespace tombolo;
using Catch::Contains;

namespace {

Platform known() {
  Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}, {1}}), 1);
  for (Link& link : platform.links) {
    link.total = link.rate;
    link.flows = 2;
  }
  store_estimates(platform, {{"multiport", {Json::object(), {}}}});
  return platform;
}

}  // namespace

TEST_CASE("a platform of which all is known guesses nothing, a single rank neither") {
  CHECK(guesses(known()).empty());
  CHECK(guesses(flat_cluster(1)).empty());
}

TEST_CASE("what was not measured is said by name, and bounds stay lower bounds without it") {
  const Platform whole = known();
  const Request request = Request::bcast(5, 0, 1 << 20, 1);
  Platform link = whole;
  link.links[1].rate = {};
  REQUIRE(guesses(link).size() == 1);
  CHECK_THAT(guesses(link).front(), Contains("the rate of links") && Contains(" - "));
  CHECK(lower_bound(request, link) <= lower_bound(request, whole));

  Platform shared = whole;
  for (Link& each : shared.links) each.flows = 1;
  // Links of the cluster of one host carry one message at most, so only one is left.
  REQUIRE(guesses(shared).size() == 1);
  CHECK_THAT(guesses(shared).front(), Catch::Matches(".* concurrent messages share, .* of links: [^,]* - [^,]*"));
  CHECK(lower_bound(request, shared) <= lower_bound(request, whole));

  Platform host = whole;
  host.hosts[0].rate = {};
  REQUIRE(guesses(host).size() == 1);
  CHECK_THAT(guesses(host).front(), Contains("the rate of hosts: " + host.hosts[0].name));
  host.hosts[0] = whole.hosts[0];
  host.hosts[4].rate = {};  // alone in its cluster
  CHECK(guesses(host).empty());

  Platform bare = whole;
  bare.sections.clear();
  REQUIRE(guesses(bare).size() == 1);
  CHECK_THAT(guesses(bare).front(), Contains("wait for their receiver"));
}

TEST_CASE("many names are counted, and what the discovery had no time for is told") {
  Platform platform = with_figures(clusters_of_hosts(std::vector(8, std::vector(1, 1))), 1);
  for (Link& link : platform.links) link.rate = {};
  store_estimates(platform, {{"multiport", {{{"left_out", {"eager limits of 3 of 9 classes of pairs"}}}, {}}}});
  const std::vector<std::string> found = guesses(platform);
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0], Contains(" and 25 more"));  // of 28 pairs of 8 clusters
  CHECK(found[1] == "eager limits of 3 of 9 classes of pairs");
}
