#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/plan_json.hpp>

using namespace tombolo;

TEST_CASE("plans come back from their JSON, one or many, with every parameter") {
  const Request request = Request::bcast(3, 1, 1000, 8);
  const std::vector<Plan> plans = {
      Plan(request, bcast_flat),
      Plan(request, bcast_chain, {.segment_bytes = 4096, .window = 3, .channels = Channels::per_rank}),
      Plan(request, bcast_binary, {.radix = 4, .delay = 7, .direct_above = 9, .order = {1, 0, 2}, .rates = {5, 6, 7}}),
      Plan(
          request, bcast_mapped,
          {.trees = {"two", {{RankTree({1, 0, 2}, {-1, 0, 0}), 1}, {RankTree({1, 2, 0}, {-1, 0, 1}), 3, {0, 9, 0}}}}})};
  CHECK(plans_from_json(request, to_json(plans), "here") == plans);
  CHECK(to_json(plans[0]) == R"({"algorithm":"flat"})");
  CHECK(to_json(plans[1]) == R"({"algorithm":"chain","segment_bytes":4096,"window":3,"window_per_rank":true})");
}

TEST_CASE("groups are written as flat trees, and any trees below several roots are read as groups") {
  const Request request = Request::allgatherv(Blocks::equal(4, 8), 8);
  const Plan plan(request, allgatherv_relays, {.groups = {"all levels", {{{1, 3}, {0, 2}}, {{1}, {3}, {2, 0}}}}});
  const std::string text =
      R"({"algorithm":"relays","trees":{"name":"all levels","list":[)"
      R"({"weight":1,"order":[1,3,0,2],"parents":[-1,0,-1,2]},{"weight":1,"order":[1,3,2,0],"parents":[-1,-1,-1,2]}]}})";
  CHECK(to_json(plan) == text);
  CHECK(plans_from_json(request, "[" + text + "]", "here") == std::vector<Plan>{plan});
  const auto chain = R"([{"algorithm":"relays","trees":{"name":"x","list":[)"
                     R"({"weight":2,"order":[1,3,0,2],"parents":[-1,0,1,-1]}]}}])";
  CHECK(plans_from_json(request, chain, "here").front().parameters().groups == NestedGroups("", {{{1, 3, 0}, {2}}}));
}

TEST_CASE("detours come back from their JSON, and wrong ones are refused") {
  const Request request = Request::alltoallv(4, AlltoallCounts::equal(4, 8), 8);
  const Detours detours(
      {{0, 3}, {1}, {2}}, {{3}, {1}, {2}},
      {{.from = 0, .to = 2, .segment_bytes = 64, .ways = {{.over = {1}, .weight = 7, .window = 3}, {}}},
       {.from = 1, .to = 0, .ways = {{.over = {2}}}}});
  const Plan plan(request, alltoallv_direct, {.detours = detours});
  CHECK(plans_from_json(request, "[" + to_json(plan) + "]", "here") == std::vector<Plan>{plan});
  std::string wrong = to_json(plan);
  wrong.replace(wrong.find(R"("over":[1])"), 10, R"("over":[0])");
  CHECK_THROWS_WITH(plans_from_json(request, "[" + wrong + "]", "here"), Catch::Contains("over cluster 0"));
}

TEST_CASE("what is no plan is refused with where it stands") {
  const Request request = Request::bcast(3, 1, 1000, 8);
  const auto refused = [&](const char* text, const char* words) {
    CHECK_THROWS_WITH(plans_from_json(request, text, "plans.json"), Catch::Contains(words));
  };
  refused(R"([{"algorithm":"teleport"}])", "'teleport'");
  refused(R"([{"window":3}])", "algorithm");
  refused(R"([{"algorithm":"flat","window":-1}])", "-1");
  refused(R"([{"algorithm":"flat","radix":1}])", "radix of 1");
  refused(R"([{"algorithm":"flat","order":[0,1,2]}])", "begins with 0");
  refused(R"([{"algorithm":"flat","rates":[1,2]}])", "2 rates for 3 ranks");
  refused(R"([{"algorithm":"mapped","trees":{"name":"x","list":[]}}])", "no trees");
  refused(R"([{"algorithm":"mapped","trees":{"name":"x","list":[{"weight":1,"order":[1,0,2],"parents":[-1,0,3]}]}}])",
          "parent 3 of place 2");
  refused(R"({})", "plans.json");
}
