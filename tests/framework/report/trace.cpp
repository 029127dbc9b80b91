#include <limits>
#include <map>
#include <tuple>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/framework/report/trace.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Catch::Contains;

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

namespace {

std::vector<TraceSpan> some_spans(Rank ranks) {
  std::vector<TraceSpan> made;
  for (Rank rank = 0; rank < ranks; ++rank) {
    made.push_back({.rank = rank, .name = "bcast A", .category = "collective", .start_s = 5, .end_s = 6});
    made.push_back({.rank = rank, .name = "it's 50 %", .category = "compute", .start_s = 6, .end_s = 7.0 + rank});
    made.push_back(
        {.rank = rank, .name = "it's 50 %", .category = "wait", .start_s = 7.0 + rank, .end_s = 7.0 + ranks});
  }
  return made;
}

}  // namespace

TEST_CASE("a chart has a row a rank, a bar a span and a legend of names") {
  const std::vector<std::string> names = {"node1: 0", "a 50 % 'node'"};
  const std::string script = trace_svg_script(some_spans(3), names, "it's a run");
  CHECK_THAT(script, Contains("set title 'it''s a run'"));
  CHECK_THAT(script, Contains("set ytics ('node1: 0' 0, 'a 50 %% ''node''' 1, 'rank 2' 2)"));
  CHECK_THAT(script, Contains("set xrange [0:5]"));
  CHECK_THAT(script, Contains("\n0 1 0 1 0.6 1.4\n"));  // from 0 s to 1 s in row 1
  CHECK_THAT(script, Contains("title 'bcast A', $s1"));
  CHECK_THAT(script, Contains("solid 0.25 border linecolor rgb '#e69f00' title 'it''s 50 % (waiting)'"));
}

TEST_CASE("gnuplot draws charts of any number of ranks") {
  for (const Rank ranks : {1, 2, 13, 200}) {
    const std::string picture = drawn_as_svg(trace_svg_script(some_spans(ranks), {}, "run"));
    CHECK_THAT(picture, Contains("</svg>") && Contains("bcast A") && Contains("rank 0"));
  }
  std::vector<TraceSpan> many;
  for (int i = 0; i < 40; ++i) {
    many.push_back({.rank = 7, .name = fmt::format("p{}", i), .category = "own", .start_s = 0, .end_s = 0});
  }
  CHECK_THAT(drawn_as_svg(trace_svg_script(many, {}, "all at once")), Contains("p39") && Contains("rank 7"));
}

TEST_CASE("a chart of nothing is an error") {
  CHECK_THROWS_AS(trace_svg_script({}, {}, "run"), Error);
}
