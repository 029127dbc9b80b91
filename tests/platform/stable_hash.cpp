#include <set>

#include <catch2/catch.hpp>

#include <tombolo/platform/stable_hash.hpp>

using namespace tombolo;

TEST_CASE("a hash is the published one, and the same in every run") {
  CHECK(StableHash().text() == "cbf29ce484222325");  // the offset basis
  StableHash hash;
  hash.add_number(1);
  CHECK(hash.text() == "07f89607b4ba0f70");
}

TEST_CASE("hosts in another order, more of them and other borders between names are other hosts") {
  using Hosts = std::vector<std::string>;
  const std::vector<Hosts> all = {{},          {""},        {"a", "b"},   {"b", "a"}, {"a"},           {"a", "a"},
                                  {"ab", "c"}, {"a", "bc"}, {"a", "b,c"}, {"abc"},    {"a", "b", "c"}, {"a", "b", ""}};
  std::set<std::string> hashes;
  for (const Hosts& hosts : all) {
    CHECK(hosts_hash(hosts) == hosts_hash(Hosts(hosts)));
    hashes.insert(hosts_hash(hosts));
  }
  CHECK(hashes.size() == all.size());
}
