#include <cstdlib>

#include <catch2/catch.hpp>

#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/simgrid/simgrid_write.hpp>

#include "platform/descriptions.hpp"

using namespace tombolo;

namespace {

Platform read_back(const Platform& platform) {
  return platform_from_simgrid(to_simgrid(platform), "copy.xml", parse_host_file(to_host_file(platform), "copy.hosts"));
}

void check_routes(const Platform& one, const Platform& other) {
  const Routes a(one);
  const Routes b(other);
  bool same = one.ranks() == other.ranks();
  for (Rank from = 0; same && from < one.ranks(); ++from) {
    for (Rank to = 0; to < one.ranks(); ++to) {
      same = same && std::abs(a.latency(from, to) - b.latency(from, to)) <= 1 && a.rate(from, to) == b.rate(from, to);
    }
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("a description that was written is read as the same platform") {
  for (const std::string& name : described_platforms()) {
    INFO(name);
    const Platform platform = described(name);
    const Platform copy = read_back(platform);
    check_routes(platform, copy);
    CHECK(copy.levels == platform.levels);
    CHECK(copy.links == platform.links);
    CHECK(copy.hosts == platform.hosts);
    CHECK(copy.processors == platform.processors);
  }
}

TEST_CASE("lines that several links share are kept") {
  Platform platform = described("grid5000");
  REQUIRE(clusters(platform.levels).size() > 3);
  platform.lines = {{.pairs = {{0, 2}, {0, 3}, {3, 1}}, .rate = {7'000'000, 0}},
                    {.pairs = {{1, 2}, {2, 3}}, .rate = {9'000'000, 0}}};
  const Platform copy = read_back(platform);
  CHECK(copy.lines == platform.lines);
}

TEST_CASE("what lies between hosts of a cluster, and not on their way out, is kept") {
  Platform platform = described("grid5000");
  platform.levels.children[0].latency.value = 5'000'000;
  check_routes(platform, read_back(platform));
}

TEST_CASE("ranks that share a host, unknown rates and speeds, names like those of hosts") {
  const std::string text = read_described("uniform64.xml");
  Platform platform = platform_from_simgrid(text, "u.xml", {"u-0", "u-0", "u-1", "u-2", "u-2", "u-2"});
  check_routes(platform, read_back(platform));
  CHECK(read_back(platform).processors == platform.processors);
  platform.levels.name = "u-0";
  for (Host& host : platform.hosts) host.rate = {};
  for (Processor& processor : platform.processors) processor.speed = 0;
  const Platform copy = read_back(platform);
  check_routes(platform, copy);
  CHECK(copy.hosts == platform.hosts);
}

TEST_CASE("routes come after all legs, or SimGrid refuses the description") {
  const std::string text = read_described("uniform64.xml");
  const std::string written = to_simgrid(platform_from_simgrid(text, "u.xml", {"u-0", "u-0", "u-1", "u-1", "u-2"}));
  const std::size_t first_route = written.find("<route ");
  REQUIRE(first_route != std::string::npos);
  CHECK(first_route > written.rfind("<host_link "));
}
