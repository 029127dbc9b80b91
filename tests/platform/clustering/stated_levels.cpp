#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <tombolo/platform/clustering/stated_levels.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

using Path = std::vector<std::string>;

// Two ranks on each of c1-0, c1-1 and c21-0, one on c21-1.
const std::vector<HostRanks> hosts = {{"c1-0", {0, 3}}, {"c1-1", {1, 4}}, {"c21-0", {2, 5}}, {"c21-1", {6}}};

void fails(const std::string& text, const std::string& with) {
  INFO(text);
  CHECK_THROWS_WITH(stated_by_groups(text, hosts), Contains(with));
  const auto lines = std::count(text.begin(), text.end(), '\n');  // what is wrong is in the last one
  CHECK_THROWS_WITH(stated_by_groups("# a comment\n" + text, hosts), StartsWith(fmt::format("line {}: ", lines + 2)));
  CHECK_THROWS_AS(stated_by_groups(text, hosts), Error);
}

}  // namespace

TEST_CASE("processes state paths, from the outermost group inwards") {
  const std::vector<std::string> texts = {"orsay/c1", "orsay/c1", "", "", "orsay/c1", " grenoble / c21 ", ""};
  CHECK(stated_by_processes(texts, hosts) ==
        StatedLevels{Path{"orsay", "c1"}, Path{"orsay", "c1"}, Path{"grenoble", "c21"}, Path{}});
}

TEST_CASE("processes that cannot be right are errors") {
  std::vector<std::string> texts(7);
  texts[0] = "orsay";
  texts[3] = "lyon";
  CHECK_THROWS_WITH(stated_by_processes(texts, hosts),
                    StartsWith("ranks 0 and 3 of host c1-0 state groups orsay and lyon"));
  for (const char* text : {"/", "orsay/", "/c1", "a//b"}) {
    texts = std::vector<std::string>(7);
    texts[6] = text;
    CHECK_THROWS_WITH(stated_by_processes(texts, hosts), StartsWith("rank 6: a group in"));
  }
  texts = std::vector<std::string>(7);
  texts[6] = "orsay/\xff";
  CHECK_THROWS_WITH(stated_by_processes(texts, hosts),
                    StartsWith("rank 6: the name of a group is not UTF-8: \"\\xff\""));
  texts[6] = "\xc3\xa9tang";
  CHECK_NOTHROW(stated_by_processes(texts, hosts));
  for (const char* text : {"a\x1b[2J", "a/b\tc", "a\n", "\xc2\x9b"}) {
    texts[6] = text;
    CHECK_THROWS_WITH(stated_by_processes(texts, hosts), Contains("has a control character in its name"));
  }
}

TEST_CASE("groups list ranks and hosts") {
  const StatedLevels wanted = {Path{"orsay", "c1"}, Path{"orsay", "c1"}, Path{"grenoble"}, Path{"grenoble"}};
  CHECK(stated_by_groups("orsay/c1: 0-1\ngrenoble: c21-*", hosts) == wanted);
  CHECK(stated_by_groups("# sites\n\n orsay / c1 :c1-? # two\r\ngrenoble: 2, c21-1\n", hosts) == wanted);
  CHECK(stated_by_groups("grenoble: c21-*, 2\norsay/c1: 0, 3\norsay/c1: 1", hosts) == wanted);
  CHECK(stated_by_groups("a: *", hosts) == StatedLevels(4, Path{"a"}));
  CHECK(stated_by_groups("", hosts) == StatedLevels(4));
  CHECK(stated_by_groups("a: 6", hosts) == StatedLevels{Path{}, Path{}, Path{}, Path{"a"}});
}

TEST_CASE("groups that cannot be right are errors of one line") {
  fails("orsay", "no ':' in 'orsay'");
  fails(": 0", "has no name");
  fails("a/: 0", "a group in 'a/' has no name");
  fails("a:", "lists nothing");
  fails("a: 0,,1", "a comma too many");
  fails("a: 7", "there is no rank 7");
  fails("a: 5-9", "there is no rank 7");
  fails("a: 3-1", "'3-1' are no ranks");
  fails("a: 1-2-3", "'1-2-3' are no ranks");
  fails("a: 99999999999", "are no ranks");
  fails("a: c3-*", "no host is called 'c3-*'");
  fails("a: -1", "no host is called '-1'");
  fails("a\a: 0", R"("a\x07: 0" has a control character)");
  fails(std::string("a: c\0*", 6), R"("a: c\x00*" has a control character)");
  fails("a\tb: 0", R"("a\x09b" has a control character)");
  fails("a: 0-1\nb: c1-1", "'c1-1' takes host c1-1, which is in group a already (line");
  fails("a/b: 0\na/c: 3", "'3' takes host c1-0, which is in group a/b already");
}

TEST_CASE("wildcards") {
  for (const char* pattern : {"c21-0", "*", "c*", "*0", "c2?-0", "*2*-*", "**c21-0**", "c21-?"}) {
    INFO(pattern);
    CHECK(matches("c21-0", pattern));
  }
  for (const char* pattern : {"", "c21", "?", "c21-0?", "*1", "c22*", "c*c", "x*"}) {
    INFO(pattern);
    CHECK_FALSE(matches("c21-0", pattern));
  }
  CHECK(matches("", "*"));
  CHECK_FALSE(matches("", "?"));
  CHECK_FALSE(matches(std::string(60, 'a'), "*a*a*a*a*a*a*a*a*b"));
}
