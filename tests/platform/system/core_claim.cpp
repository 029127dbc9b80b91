#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/platform/system/core_claim.hpp>

using namespace tombolo;

namespace {

CoreClaim claim(std::vector<std::size_t> threads, double quota = 0, std::uint64_t group = 0) {
  CoreClaim made{.threads = {}, .cores = static_cast<int>(threads.size()), .quota = quota, .quota_group = group};
  CPU_ZERO(&made.threads);
  for (const std::size_t thread : threads) CPU_SET(thread, &made.threads);
  return made;
}

std::vector<int> sharing(const std::vector<CoreClaim>& claims) {
  std::vector<int> found;
  for (std::size_t rank = 0; rank < claims.size(); ++rank) found.push_back(ranks_sharing(claims, rank));
  return found;
}

}  // namespace

TEST_CASE("ranks share the cores that several of them may run on") {
  CHECK(sharing({claim({0, 1})}) == std::vector{1});
  CHECK(sharing({claim({0, 1}), claim({0, 1}), claim({2})}) == std::vector{2, 2, 1});
  CHECK(sharing({claim({0, 1}), claim({1, 2}), claim({2, 3})}) == std::vector{2, 3, 2});
}

TEST_CASE("ranks with quotas of their own share nothing, as long as there are cores for all") {
  CHECK(sharing({claim({0, 1}, 0.8, 11), claim({0, 1}, 0.4, 12), claim({0, 1}, 0.2, 13), claim({0, 1}, 0.6, 14)}) ==
        std::vector{1, 1, 1, 1});
  CHECK(sharing({claim({0, 1}, 0.8, 11), claim({0, 1}, 0.8, 12), claim({0, 1}, 0.8, 13)}) == std::vector{3, 3, 3});
  // One of them has no quota, so it may take what the other was promised.
  CHECK(sharing({claim({0, 1}, 0.8, 11), claim({0, 1})}) == std::vector{2, 2});
}

TEST_CASE("ranks of one quota share it") {
  const CoreClaim in_container = claim({0, 1, 2, 3}, 1.5, 5);
  CHECK(sharing({in_container, in_container, in_container}) == std::vector{3, 3, 3});
  CHECK(sharing({in_container, in_container, claim({0, 1, 2, 3}, 2, 6)}) == std::vector{2, 2, 1});
}
