#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <tombolo/framework/gnuplot.hpp>
#include <tombolo/framework/trace_svg.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;
using Catch::Contains;

namespace {

std::vector<TraceSpan> some_spans(Rank ranks) {
  std::vector<TraceSpan> spans;
  for (Rank rank = 0; rank < ranks; ++rank) {
    spans.push_back({.rank = rank, .name = "bcast A", .category = "collective", .start_s = 5, .end_s = 6});
    spans.push_back({.rank = rank, .name = "it's 50 %", .category = "compute", .start_s = 6, .end_s = 7.0 + rank});
    spans.push_back(
        {.rank = rank, .name = "it's 50 %", .category = "wait", .start_s = 7.0 + rank, .end_s = 7.0 + ranks});
  }
  return spans;
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
