#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/units.hpp>

#include "platform/random_platform.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

std::string error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no Error";
}

/// A way to break the file of small_platform(), and words that the Error must have.
struct Broken {
  std::function<void(Json&)> change;
  std::vector<std::string> words;
};

void check_all(const std::vector<Broken>& all) {
  const Json good = Json::parse(to_json(small_platform()));
  CHECK(platform_from_json(good.dump(), "p.json") == small_platform());
  for (const Broken& broken : all) {
    Json json = good;
    broken.change(json);
    const std::string message = error_of([&] { platform_from_json(json.dump(), "p.json"); });
    INFO(message);
    CHECK(message.starts_with("p.json"));
    CHECK(message.find("; ") != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
    for (const std::string& word : broken.words) CHECK_THAT(message, Contains(word));
  }
}

Json& grenoble(Json& json) {
  return json["levels"]["children"][0];
}
Json& c1(Json& json) {
  return grenoble(json)["children"][0];
}
Json& a1(Json& json) {
  return c1(json)["children"][0];
}

}  // namespace

TEST_CASE("what is no platform file, or not of this version") {
  check_all({
      {[](Json& j) { j = Json::array(); }, {"no platform file", "tombolo discover"}},
      {[](Json& j) { j = 5; }, {"no platform file"}},
      {[](Json& j) { j.erase("format"); }, {"no platform file"}},
      {[](Json& j) { j["format"] = "tombolo report"; }, {"no platform file"}},
      {[](Json& j) { j["version"] = 2; }, {"version is 2", "reads version 1", "newer"}},
      {[](Json& j) { j["version"] = "1"; }, {R"(version is "1", not a whole number)"}},
      {[](Json& j) { j.erase("version"); }, {R"(has no member "version")"}},
  });
}

TEST_CASE("members that are missing or of a wrong type") {
  std::vector<Broken> all;
  for (const char* const name : {"processors", "hosts", "levels"}) {
    all.push_back({[=](Json& j) { j.erase(name); }, {"has no member", name}});
    all.push_back({[=](Json& j) { j[name] = "x"; }, {name, R"(is "x", not a)"}});
  }
  for (const char* const name : {"rank", "host"}) {
    all.push_back({[=](Json& j) { j["processors"][2].erase(name); }, {"processors[2] has no member", name}});
    all.push_back({[=](Json& j) { j["processors"][2][name] = Json::array(); }, {"processors[2].", name, "is a list"}});
  }
  for (const char* const name : {"name", "kind", "ranks"}) {
    all.push_back({[=](Json& j) { c1(j).erase(name); }, {"levels.children[0].children[0] has no member", name}});
    all.push_back({[=](Json& j) { c1(j)[name] = true; }, {"levels.children[0].children[0].", name, "is true"}});
  }
  for (const char* const name : {"between", "latency_ps"}) {
    all.push_back({[=](Json& j) { j["links"][1].erase(name); }, {"links[1] has no member", name}});
    all.push_back({[=](Json& j) { j["links"][1][name] = nullptr; }, {"links[1].", name, "is null"}});
  }
  all.push_back({[](Json& j) { j["hosts"][1].erase("name"); }, {R"(hosts[1] has no member "name")"}});
  all.push_back({[](Json& j) { j["hosts"][1] = "a2"; }, {R"(hosts[1] is "a2", not an object)"}});
  all.push_back({[](Json& j) { j["origin"]["simulated"] = 1; }, {"origin.simulated is 1, not true or false"}});
  all.push_back({[](Json& j) { j["origin"]["seconds"] = "1"; }, {R"(origin.seconds is "1", not a number)"}});
  all.push_back({[](Json& j) { j["origin"]["not_measured"][0] = 1; }, {"origin.not_measured[0] is 1, not text"}});
  all.push_back({[](Json& j) { j["processors"][4]["speeds_flops"][1].erase(1); }, {"speeds_flops[1]", "pair"}});
  all.push_back({[](Json& j) { a1(j)["kind"] = "socket"; }, {R"(kind is "socket", not group, cluster, host)"}});
  check_all(all);
}

TEST_CASE("numbers that cannot be") {
  check_all({
      {[](Json& j) { j["hosts"][0]["latency_ps"] = -1; }, {R"(latency of host "a1" is -1, less than 0)"}},
      {[](Json& j) { j["hosts"][0]["latency_ps"] = 1.5; }, {"hosts[0].latency_ps is 1.5, not a whole number"}},
      {[](Json& j) { j["hosts"][0]["latency_ps"] = 1e300; }, {"hosts[0].latency_ps is 1e+300", "too large"}},
      {[](Json& j) { j["hosts"][0]["latency_ps"] = 2'000'000'000'000'000; }, {"more than 1000000000000000"}},
      {[](Json& j) { j["hosts"][0]["latency_ps"] = UINT64_MAX; }, {"too large"}},
      {[](Json& j) { j["hosts"][0]["latency_error_ps"] = -1; }, {R"(error of the latency of host "a1")"}},
      {[](Json& j) { j["hosts"][0]["rate_bytes_per_s"] = -1; }, {R"(rate of host "a1" is -1)"}},
      {[](Json& j) { j["hosts"][0]["memory_bytes_per_s"] = -1; }, {R"(rate of memory of host "a1" is -1)"}},
      {[](Json& j) { j["hosts"][0]["wake_up_ps"] = -1; }, {R"(time to wake up of host "a1" is -1)"}},
      {[](Json& j) { j["hosts"][0]["message_ps"] = -1; }, {R"(time of a message of host "a1" is -1)"}},
      {[](Json& j) { j["hosts"][0]["exchange_bytes_per_s"] = -1; }, {R"(rate of exchange of host "a1" is -1)"}},
      {[](Json& j) { j["hosts"][0]["rate_bytes_per_s"] = INT64_MAX; }, {R"(rate of host "a1")", "more than"}},
      {[](Json& j) { c1(j)["latency_ps"] = -5; }, {R"(latency of cluster "c1" is -5)"}},
      {[](Json& j) { c1(j)["uplink_bytes_per_s"] = -5; }, {R"(uplink of cluster "c1" is -5)"}},
      {[](Json& j) { j["links"][0]["latency_ps"] = -5; }, {R"(latency of the link between "c1" and "c2" is -5)"}},
      {[](Json& j) { j["links"][0]["rate_bytes_per_s"] = -5; }, {R"(rate of the link between "c1" and "c2")"}},
      {[](Json& j) { j["links"][1]["flows"] = 0; }, {"flows", R"("c1" and "c3" is 0, less than 1)"}},
      {[](Json& j) { j["links"][1]["flows"] = 5'000'000'000; }, {"links[1].flows is 5000000000", "too large"}},
      {[](Json& j) { j["processors"][1]["speed_flops"] = -1; }, {"speed of the processor of rank 1 is -1"}},
      {[](Json& j) { j["processors"][1]["cores"] = 0; }, {"cores of the processor of rank 1 is 0, less than 1"}},
      {[](Json& j) { j["processors"][1]["threads"] = 0; }, {"threads of the processor of rank 1"}},
      {[](Json& j) { j["processors"][1]["ranks_sharing"] = 3; }, {"share", "is 3, more than 2"}},
      {[](Json& j) { j["processors"][1]["core"] = -2; }, {"place of the processor of rank 1 is -2"}},
      {[](Json& j) { j["processors"][1]["send_overhead_ps"] = -2; }, {"send overhead", "is -2"}},
      {[](Json& j) { j["processors"][1]["receive_overhead_ps"] = -2; }, {"receive overhead", "is -2"}},
      {[](Json& j) { j["processors"][4]["speeds_flops"][0][1] = 0; }, {"rank 4 at size 256 is 0, less than 1"}},
      {[](Json& j) { j["processors"][4]["speeds_flops"][0][0] = 0; }, {"size of the processor of rank 4"}},
      {[](Json& j) { j["processors"][4]["speeds_flops"][0][0] = 512; }, {"not ascending: 512 after 512"}},
      {[](Json& j) { j["origin"]["seconds"] = -1.5; }, {"seconds of the origin are -1.5"}},
      {[](Json& j) { j["origin"]["messages"] = -1; }, {"messages of the origin is -1"}},
  });
  for (const char* const number : {"NaN", "Infinity", "-Infinity", "1e999", "01", "0x10"}) {
    std::string text = to_json(small_platform());
    text.replace(text.find("7000000"), 7, number);
    CHECK_THAT(error_of([&] { platform_from_json(text, "p.json"); }), Contains("p.json: ") && Contains("in line 15"));
  }
}

TEST_CASE("ranks that are not 0 to P - 1, once each") {
  check_all({
      {[](Json& j) { j["processors"] = Json::array(); }, {"no processors"}},
      {[](Json& j) { j["processors"][3]["rank"] = 5; }, {"processors[3].rank is 5", "0 to 4"}},
      {[](Json& j) { j["processors"][3]["rank"] = -1; }, {"processors[3].rank is -1"}},
      {[](Json& j) { j["processors"][3]["rank"] = 1; }, {"processors[3].rank is 1 as in another"}},
      {[](Json& j) { j["processors"].erase(4); }, {"has rank 4, but there are 4 processors"}},
      {[](Json& j) { j["levels"]["ranks"].erase(2); }, {R"("all", the outermost level)", "rank 2"}},
      {[](Json& j) { j["levels"]["ranks"].push_back(2); }, {"the outermost level"}},
      {[](Json& j) { j["levels"]["ranks"][2] = 5'000'000'000; }, {"levels.ranks[2] is 5000000000", "too large"}},
      {[](Json& j) { c1(j)["ranks"].erase(0); }, {R"(rank 0 of group "grenoble" is in none of its children)"}},
      {[](Json& j) { c1(j)["ranks"].push_back(3); }, {R"(rank 3 is twice in the children of group "grenoble")"}},
      {[](Json& j) { c1(j)["ranks"].push_back(4); }, {R"(rank 4 is in a child of group "grenoble")"}},
      {[](Json& j) { c1(j)["ranks"].push_back(1); }, {R"(rank 1 is twice in the children of group "grenoble")"}},
      {[](Json& j) { c1(j)["ranks"] = Json::array(); }, {R"(cluster "c1" has no ranks)"}},
      {[](Json& j) { c1(j)["children"].erase(1); }, {R"(rank 2 of cluster "c1" is in none)"}},
  });
}

TEST_CASE("levels that cannot stand where they are") {
  check_all({
      {[](Json& j) { j["levels"]["kind"] = "host"; }, {R"(host "all" cannot be the outermost)"}},
      {[](Json& j) { j["levels"]["kind"] = "cluster"; }, {R"(group "grenoble" cannot stand in cluster "all")"}},
      {[](Json& j) { c1(j)["kind"] = "host"; }, {R"(host "c1" cannot stand in group "grenoble")"}},
      {[](Json& j) { a1(j)["kind"] = "cluster"; }, {R"(cluster "a1" cannot stand in cluster "c1")"}},
      {[](Json& j) { a1(j)["kind"] = "package"; }, {R"(package "a1" cannot stand in cluster "c1")"}},
      {[](Json& j) { a1(j)["children"][0]["kind"] = "host"; }, {R"(cannot stand in host "a1")"}},
      {[](Json& j) { a1(j)["children"][0]["kind"] = "core"; }, {R"(core "" has no children)"}},
      {[](Json& j) {
         a1(j)["children"][0]["ranks"] = {0, 1};
       },
       {R"(twice in the children of host "a1")"}},
      {[](Json& j) {
         a1(j)["children"] = {{{"name", "r"}, {"kind", "rank"}, {"ranks", {0, 1}}}};
       },
       {"one child only"}},
      {[](Json& j) { c1(j)["children"][1]["children"] = {a1(j)["children"][0]}; }, {R"("a2" is a single rank)"}},
      {[](Json& j) { c1(j).erase("children"); }, {R"(cluster "c1" has no children)"}},
      {[](Json& j) {
         j["levels"] = {{"name", "outer"}, {"kind", "group"}, {"ranks", {0, 1, 2, 3, 4}}, {"children", {j["levels"]}}};
       },
       {R"(group "outer" has one child only, group "all")"}},
      {[](Json& j) { grenoble(j)["children"][1]["name"] = "c1"; }, {R"(cluster "c1" is there twice)"}},
      {[](Json& j) { c1(j)["name"] = ""; }, {"a cluster has no name"}},
  });
}

TEST_CASE("hosts that do not agree with each other") {
  check_all({
      {[](Json& j) { j["processors"][2]["host"] = "x"; }, {R"(rank 2 is on host "x", which is not among the hosts)"}},
      {[](Json& j) { j["processors"][2]["host"] = "a1"; }, {R"(no processor is on host "a2")"}},
      {[](Json& j) { j["processors"][1]["host"] = "a2"; }, {R"(rank 1 is on host "a1", its processor is not)"}},
      {[](Json& j) { j["processors"][0]["host"] = "b1"; }, {R"(rank 0 is on host "a1", its processor is not)"}},
      {[](Json& j) { j["hosts"].erase(1); }, {R"("a2", which is not among the hosts)"}},
      {[](Json& j) {
         j["hosts"].push_back({{"name", "z"}});
       },
       {R"(no processor is on host "z")"}},
      {[](Json& j) {
         j["hosts"].push_back({{"name", "a2"}});
       },
       {R"(host "a2" is there twice)"}},
      {[](Json& j) { j["hosts"][1]["name"] = ""; }, {"a host has no name"}},
      {[](Json& j) { j["hosts"][1]["name"] = "a\n2"; }, {R"(host "a\x0a2" has a control character)"}},
      {[](Json& j) { c1(j)["name"] = "a\xc2\x9b"; }, {R"(cluster "a\xc2\x9b" has a control character)"}},
      {[](Json& j) { grenoble(j)["name"] = "\x1b[2J"; }, {R"(group "\x1b[2J" has a control character)"}},
      {[](Json& j) { j["processors"][2]["model"] = "\a"; }, {R"(model "\x07" of a processor has a control)"}},
      {[](Json& j) { a1(j)["name"] = "z"; }, {R"(the levels have a host "z", which is not among the hosts)"}},
      {[](Json& j) { a1(j)["name"] = "b1"; }, {R"(host "b1")"}},
  });
}

TEST_CASE("links that are not one for each pair of clusters") {
  check_all({
      {[](Json& j) { j["links"].erase(1); }, {R"(link between "c1" and "c3" is missing)"}},
      {[](Json& j) { j.erase("links"); }, {R"(link between "c1" and "c2" is missing)"}},
      {[](Json& j) { j["links"].push_back(j["links"][1]); }, {"links[3].between names the same two clusters"}},
      {[](Json& j) {
         j["links"][1]["between"] = {"c3", "c3"};
       },
       {"links[1].between does not name two clusters"}},
      {[](Json& j) { j["links"][1]["between"] = {"c3"}; }, {"links[1].between does not name two"}},
      {[](Json& j) { j["links"][1]["between"][1] = "c9"; }, {R"(links[1].between[1] is "c9", which is no cluster)"}},
      {[](Json& j) { j["links"][1]["between"][1] = "grenoble"; }, {"no cluster"}},
  });
}

TEST_CASE("lines that are not between clusters, or have no rate") {
  const auto with = [](const std::string& between, const std::string& rate = R"(,"rate_bytes_per_s":5)") {
    return [=](Json& j) { j["lines"] = Json::parse(fmt::format(R"([{{"between":{}{}}}])", between, rate)); };
  };
  check_all({
      {with(R"([["c1","c2"],["c1","c9"]])"), {R"(lines[0].between[1][1] is "c9", which is no cluster)"}},
      {with(R"([["c1","c1"]])"), {"lines[0].between[0] does not name two clusters"}},
      {with(R"([["c1","c2"],["c2","c1"]])"), {"the line of c1 - c2 and 1 more pair has the same two clusters twice"}},
      {with("[]"), {"a line is between no clusters"}},
      {with(R"([["c1","c2"]])", ""), {"the line of c1 - c2 has no rate"}},
  });
}

TEST_CASE("a member that is there twice is no guess") {
  std::string text = to_json(small_platform());
  text.replace(text.find(R"("speed_flops")"), 0, R"("speed_flops": 1, )");
  CHECK_THAT(error_of([&] { platform_from_json(text, "p.json"); }), Contains(R"("speed_flops" more than once)"));
}

TEST_CASE("more processors and levels than anyone has") {
  Platform platform = small_platform();
  platform.processors.resize(most_processors + 1);
  CHECK_THAT(error_of([&] { check_platform(platform); }), Contains("more than 1048576"));

  // A staircase: in every group one cluster of one host, and the next group.
  const auto stairs = [](int depth) {
    Platform high;
    const auto host_name = [](Rank rank) { return fmt::format("h{}", rank); };
    const auto step = [&](Rank rank) {
      const std::string name = host_name(rank);
      return Level{Level::Kind::cluster, name, {rank}, {Level{Level::Kind::host, name, {rank}, {}}}};
    };
    high.levels = step(depth);
    for (Rank rank = depth - 1; rank >= 0; --rank) {
      std::vector<Rank> ranks = {rank};
      ranks.insert(ranks.end(), high.levels.ranks.begin(), high.levels.ranks.end());
      high.levels = {Level::Kind::group, "", ranks, {step(rank), high.levels}};
    }
    for (Rank rank = 0; rank <= depth; ++rank) {
      high.processors.push_back({.host = host_name(rank), .model = ""});
      high.hosts.push_back({host_name(rank)});
      for (Rank other = rank + 1; other <= depth; ++other) high.links.push_back({rank, other});
    }
    return high;
  };
  const Platform highest = stairs(most_levels - 2);  // the innermost group has a cluster, that a host
  CHECK(platform_from_json(to_json(highest), "p.json") == highest);
  CHECK_THAT(error_of([&] { check_platform(stairs(most_levels - 1)); }), Contains("more than 100 levels"));
}

TEST_CASE("values that a file cannot even say") {
  const auto message = [](const std::function<void(Platform&)>& change) {
    Platform platform = small_platform();
    change(platform);
    return error_of([&] { check_platform(platform, "the grid"); });
  };
  CHECK(message([](Platform&) {}) == "no Error");
  CHECK_THAT(message([](Platform& p) { p.processors[0].ranks_on_host = 1; }),
             Contains("the grid: ") && Contains("is 1"));
  CHECK_THAT(message([](Platform& p) { std::swap(p.hosts[0], p.hosts[1]); }), Contains("order of their first ranks"));
  CHECK_THAT(message([](Platform& p) { std::swap(p.levels.children[0], p.levels.children[1]); }),
             Contains(R"(children of group "all" are not in the order)"));
  CHECK_THAT(message([](Platform& p) { std::swap(p.levels.ranks[0], p.levels.ranks[1]); }), Contains("rank 0 is not"));
  CHECK_THAT(message([](Platform& p) { std::swap(p.levels.children[0].ranks[0], p.levels.children[0].ranks[1]); }),
             Contains("not ascending"));
  CHECK_THAT(message([](Platform& p) { std::swap(p.links[0], p.links[1]); }), Contains("not in its place"));
  CHECK_THAT(message([](Platform& p) { p.links.push_back({0, 1}); }), Contains("4 links"));
  CHECK_THAT(message([](Platform& p) { p.origin.seconds = std::numeric_limits<double>::quiet_NaN(); }),
             Contains("seconds of the origin"));
  for (const char* const text : {"", "1,2", "1],[2", "{", "nan"}) {
    CHECK_THAT(message([&](Platform& p) { p.sections.insert_or_assign("models", text); }),
               Contains(R"(section "models")"));
  }
  CHECK_THAT(message([](Platform& p) { p.sections.emplace("links", "1"); }), Contains(R"(section "links")"));
}

TEST_CASE("a platform that was made for other hosts says which") {
  const Platform platform = small_platform();
  const auto message = [&](const std::vector<std::string>& hosts) {
    return error_of([&] { check_platform_fits(platform, hosts, "p.json"); });
  };
  CHECK(message({"a1", "a1", "a2", "b1", "d1"}) == "no Error");
  CHECK_THAT(message({"a1", "a1", "a2", "b1"}), Contains("p.json was made for 5 ranks, and this run has 4; ") &&
                                                    Contains("tombolo discover again") && Contains("--platform"));
  CHECK_THAT(message({"a1", "a1", "a2", "d1", "b1"}), Contains(R"(rank 3 was on "b1" and is on "d1" now)"));
}
