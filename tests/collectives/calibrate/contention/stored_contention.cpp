#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/contention/stored_contention.hpp>

using namespace tombolo;

TEST_CASE("contention is stored in a platform and read back") {
  Platform platform;
  CHECK(stored_contention(platform).empty());
  CHECK(contention_of({}, "all") == nullptr);
  const LinkContention links{
      .latency = 12, .gamma = {1'019'500, 4'362'800, 900'000}, .delta = 8'230'000'000, .threshold = 2048};
  const std::vector<ScopeContention> all = {{"all \"four\"", 4, links}, {"c0", 2, {}}};
  store_contention(platform, all);
  CHECK(stored_contention(platform) == all);
  CHECK(contention_of(all, "all \"four\"") == &all[0].links);
  CHECK(contention_of(all, "c0") == &all[1].links);
  CHECK(contention_of(all, "c1") == nullptr);
}

TEST_CASE("a section of contention that is not right is refused in a line that says where") {
  const auto refused = [](const char* text, const char* words) {
    Platform platform;
    platform.sections[contention_section] = text;
    CHECK_THROWS_WITH(stored_contention(platform), Catch::Contains("contention") && Catch::Contains(words));
  };
  refused("{", "section");
  refused("{}", "list");
  refused(R"([{"ranks": 4}])", "scope");
  refused(R"([{"scope": "a", "ranks": 1}])", "two ranks");
  refused(R"([{"scope": "a", "ranks": 4, "latency_ps": -1}])", "less than 0");
  refused(R"([{"scope": "a", "ranks": 4, "latency_ps": 1, "port_gamma_millionths": 1}])", "uplink_gamma_millionths");
  Platform platform;
  store_contention(platform, {{"a", 4, {}}});
  std::string& section = platform.sections[contention_section];
  section = "[" + section.substr(1, section.size() - 2) + ", " + section.substr(1);
  CHECK_THROWS_WITH(stored_contention(platform), Catch::Contains("same scope"));
}
