#include <limits>
#include <map>
#include <tuple>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <tombolo/framework/chrome_trace.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;
using Json = nlohmann::json;

namespace {

const std::vector<TraceSpan> spans = {
    {.rank = 1, .name = "multiply", .category = "compute", .start_s = 100.5, .end_s = 101.75},
    {.rank = 0, .name = "bcast \"A\"", .category = "collective", .start_s = 100.25, .end_s = 100.2500004},
    {.rank = 3, .name = "wait", .category = "wait", .start_s = 101, .end_s = 101},
};

}  // namespace

TEST_CASE("a trace file has a complete event for each span, from the earliest start on") {
  const std::vector<std::string> names = {"node1", "node2"};
  const Json file = Json::parse(chrome_trace(spans, names));
  std::vector<Json> complete;
  std::map<int, std::string> rows;
  std::map<int, int> order;
  for (const Json& event : file.at("traceEvents")) {
    CHECK(event.at("pid") == 0);
    if (event.at("ph") == "X") {
      complete.push_back(event);
    } else {
      REQUIRE(event.at("ph") == "M");
      if (event.at("name") == "thread_name") rows[event.at("tid")] = event.at("args").at("name");
      if (event.at("name") == "thread_sort_index") order[event.at("tid")] = event.at("args").at("sort_index");
    }
  }
  CHECK(rows == std::map<int, std::string>{{0, "node1"}, {1, "node2"}, {3, "rank 3"}});
  CHECK(order == std::map<int, int>{{0, 0}, {1, 1}, {3, 3}});
  REQUIRE(complete.size() == 3);
  CHECK(complete[0].at("tid") == 1);
  CHECK(complete[0].at("name") == "multiply");
  CHECK(complete[0].at("cat") == "compute");
  CHECK(complete[0].at("ts") == 250'000.0);
  CHECK(complete[0].at("dur") == 1'250'000.0);
  CHECK(complete[1].at("name") == "bcast \"A\"");
  CHECK(complete[1].at("ts") == 0.0);
  CHECK(complete[1].at("dur").get<double>() == Approx(0.4));
  CHECK(complete[2].at("dur") == 0.0);
}

TEST_CASE("a trace file can be empty, and holds any names") {
  CHECK(Json::parse(chrome_trace({}, {})).at("traceEvents").empty());
  const std::vector<TraceSpan> odd = {{.rank = 0, .name = "\xff\n", .category = "", .start_s = 0, .end_s = 1}};
  CHECK(Json::parse(chrome_trace(odd, {})).at("traceEvents").size() == 3);
}

TEST_CASE("spans that cannot be are errors") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [rank, start, end] :
       {std::tuple(-1, 0.0, 1.0), std::tuple(0, 1.0, 0.5), std::tuple(0, none, 1.0), std::tuple(0, 0.0, none)}) {
    const std::vector<TraceSpan> bad = {
        {.rank = rank, .name = "x", .category = "wait", .start_s = start, .end_s = end}};
    CHECK_THROWS_AS(chrome_trace(bad, {}), Error);
  }
}
