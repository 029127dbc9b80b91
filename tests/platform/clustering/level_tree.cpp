#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/level_tree.hpp>
#include <tombolo/platform/description/host_levels.hpp>

#include "platform/host_groups.hpp"

using namespace tombolo;
using test::cluster;
using test::group;

namespace {

// One rank on each host, in this order.
std::vector<Level> hosts(const std::vector<std::string>& names) {
  std::vector<Level> found;
  for (const std::string& name : names) {
    const std::vector<Rank> ranks = {static_cast<Rank>(found.size())};
    found.push_back(host_level(name, ranks, std::vector<Place>(1)));
  }
  return found;
}

std::vector<std::string> cluster_names(const Level& level) {
  std::vector<std::string> names;
  for (const Level* one : clusters(level)) names.push_back(one->name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("one cluster alone is the whole platform, also of one host") {
  const Level two = level_tree(cluster({0, 1}), hosts({"node1", "node2"}));
  CHECK(two.kind == Level::Kind::cluster);
  CHECK(two.name == "node");
  CHECK(two.ranks == std::vector<Rank>{0, 1});
  REQUIRE(two.children.size() == 2);
  CHECK(two.children[1].kind == Level::Kind::host);
  CHECK(two.children[1].name == "node2");
  CHECK(level_tree(cluster({0}), hosts({"localhost"})).children.size() == 1);
}

TEST_CASE("clusters are called what the names of their hosts, and of no others, begin with") {
  CHECK(common_name(Names{"c1-0", "c1-19", "c10-3"}, {0, 1}) == "c1");
  CHECK(common_name(Names{"c1-10", "c1-12", "c2-0"}, {0, 1}) == "c1");
  CHECK(common_name(Names{"c1-0", "c1-1", "c1-2"}, {0, 1}).empty());
  CHECK(common_name(Names{"c21-0", "c22-0", "c3-0"}, {0, 1}).empty());
  CHECK(common_name(Names{"node7.site.fr"}, {0}) == "node7.site.fr");
  CHECK(common_name(Names{"12", "17"}, {0, 1}).empty());
  CHECK(common_name(Names{"a", "b"}, {0, 1}).empty());
  CHECK(common_name(Names{"a"}, {}).empty());
}

TEST_CASE("a tree of groups has clusters, hosts and ranks in it") {
  const std::vector<Level> all = hosts({"c1-0", "c21-0", "c1-1", "c21-1", "c22-0", "c3-0"});
  const Level tree =
      level_tree(group({cluster({0, 2}), group({cluster({1, 3}), cluster({4})}), cluster({5}, "x")}), all);
  CHECK(tree.name == "platform");
  CHECK(tree.kind == Level::Kind::group);
  CHECK(tree.ranks == std::vector<Rank>{0, 1, 2, 3, 4, 5});
  REQUIRE(tree.children.size() == 3);
  CHECK(tree.children[1].name == "site 1");
  CHECK(tree.children[1].kind == Level::Kind::group);
  CHECK(tree.children[1].ranks == std::vector<Rank>{1, 3, 4});
  CHECK(cluster_names(tree) == Names{"c1", "c21", "c22", "x"});
  CHECK(tree.children[0].children[1] == all[2]);
}

TEST_CASE("groups of a site whose hosts have a name in common are called by it") {
  const std::vector<Level> all = hosts({"lyon-a1", "lyon-b1", "nice-a1", "nice-b1"});
  const Level tree = level_tree(group({group({cluster({0}), cluster({1})}), group({cluster({2}), cluster({3})})}), all);
  CHECK(tree.children[0].name == "lyon");
  CHECK(tree.children[1].name == "nice");
  CHECK(cluster_names(tree) == Names{"lyon-a", "lyon-b", "nice-a", "nice-b"});
}

TEST_CASE("names are unique, whatever was stated") {
  const std::vector<Level> all = hosts({"a", "b", "c", "d", "e", "f"});
  const Level tree = level_tree(
      group({group({cluster({0}, "one"), cluster({1}, "one")}, "s"),
             group({cluster({2}, "one"), cluster({3}, "cluster 1")}, "s"), group({cluster({4}), cluster({5})}, "one")}),
      all);
  std::set<std::string> names;
  for (const std::string& name : cluster_names(tree)) {
    CHECK_FALSE(name.empty());
    CHECK(names.insert(name).second);
  }
  for (const Level& site : tree.children) CHECK(names.insert(site.name).second);
}

TEST_CASE("children come in the order of first ranks, not of hosts") {
  std::vector<Level> all;
  all.push_back(host_level("x", std::vector<Rank>{4, 5}, std::vector<Place>(2)));
  all.push_back(host_level("y", std::vector<Rank>{0, 3}, std::vector<Place>(2)));
  all.push_back(host_level("z", std::vector<Rank>{1, 2}, std::vector<Place>(2)));
  const Level tree = level_tree(group({cluster({0}), cluster({1, 2})}), all);
  CHECK(tree.children[0].ranks == std::vector<Rank>{0, 1, 2, 3});
  CHECK(tree.children[1].ranks == std::vector<Rank>{4, 5});
}
