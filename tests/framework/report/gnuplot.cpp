#include <catch2/catch.hpp>

#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Catch::Matchers::Contains;

namespace {

std::size_t count_of(const std::string& what, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("curves have names and intervals") {
  Curve curve{"it's planned", "linespoints", {}};
  for (const Bytes bytes : {0, 64, 4096}) curve.points.push_back({.bytes = bytes, .time = 1'000'000 * (bytes + 1)});
  const std::string plain = drawn_curves("bcast", {{"", {curve}}});
  CHECK_THAT(plain, Contains("</svg>") && Contains("it's planned") && Contains("bcast"));
  for (CurvePoint& point : curve.points) {
    point.low = point.time / 2;
    point.high = 2 * point.time;
  }
  const std::string with_intervals = drawn_curves("bcast", {{"", {curve}}});
  CHECK(count_of("<path", with_intervals) > count_of("<path", plain));
}

TEST_CASE("several diagrams stand under a common title, points that do not show are left out") {
  const Curve shown{"shown", "lines", {{.bytes = 8, .time = 1000}, {.bytes = 16, .time = 2000}}};
  const Curve hidden{"hidden", "lines", {{.bytes = 8, .time = 0}}};
  const std::string picture = drawn_curves("all", {{"one", {shown, hidden}}, {"two", {shown}}, {"three", {shown}}});
  CHECK_THAT(picture, Contains("all") && Contains("one") && Contains("two") && Contains("three"));
  CHECK_THAT(picture, !Contains("hidden"));
}

TEST_CASE("what gnuplot says of a script that is none is told") {
  CHECK_THROWS_WITH(drawn_as_svg("set nothing of the kind\n"), Contains("gnuplot ended with status 1 and said"));
  CHECK_THROWS_WITH(drawn_as_svg(""), Contains("said \"nothing\""));
}
