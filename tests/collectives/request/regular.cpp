#include <algorithm>
#include <functional>

#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/collectives/request/regular.hpp>

using namespace tombolo;

namespace {

std::vector<std::int64_t> largest_first(const Blocks& blocks) {
  std::vector<std::int64_t> counts;
  for (int block = 0; block < blocks.size(); ++block) counts.push_back(blocks.count(block));
  std::sort(counts.begin(), counts.end(), std::greater<>());
  return counts;
}

}  // namespace

TEST_CASE("counts as Zipf's law has them fall as one over their place, and add up to as much") {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (const Operation operation : {Operation::scatterv, Operation::gatherv, Operation::allgatherv}) {
      const Request regular = regular_request(operation, ranks, ranks / 2, 100'000, 4);
      const Request request = with_counts(regular, Counts::zipf);
      const std::vector<std::int64_t> counts = largest_first(request.blocks);
      INFO(ranks << " ranks");
      CHECK(request.root == regular.root);
      CHECK(request.blocks.total() <= regular.blocks.total());
      CHECK(request.blocks.total() > regular.blocks.total() - ranks);
      for (std::size_t k = 0; k < counts.size(); ++k) {
        CHECK(static_cast<double>(counts[k]) ==
              Approx(static_cast<double>(counts[0]) / static_cast<double>(k + 1)).epsilon(0.01).margin(2));
      }
    }
  }
}

TEST_CASE("of sparse counts three of four are 0, in other places in every row of an exchange") {
  for (const int ranks : {1, 2, 4, 5, 8, 13, 40}) {
    const Request regular = regular_request(Operation::alltoallv, ranks, 0, 1000, 1);
    const Request request = with_counts(regular, Counts::sparse);
    std::vector<std::vector<std::int64_t>> rows;
    for (Rank rank = 0; rank < ranks; ++rank) {
      const std::vector<std::int64_t> counts = largest_first(request.exchange.sends(rank));
      const auto full = static_cast<std::size_t>((ranks + 3) / 4);
      CHECK(counts[full - 1] > 0);
      if (full < counts.size()) CHECK(counts[full] == 0);
      CHECK(request.exchange.sends(rank).total() > 1000 * ranks - ranks);
    }
    if (ranks > 4) CHECK_FALSE(request.exchange.sends(0) == request.exchange.sends(1));
  }
}

TEST_CASE("uneven counts are those of a request that can be planned; operations without any have none") {
  for (const Counts counts : {Counts::zipf, Counts::sparse}) {
    for (const int ranks : {1, 2, 5, 8}) {
      for (const Operation operation :
           {Operation::scatterv, Operation::allgatherv, Operation::reduce_scatter, Operation::alltoallv}) {
        const Request request = with_counts(regular_request(operation, ranks, 0, 80, 8), counts);
        for (const Algorithm* algorithm : algorithms_for(request)) {
          INFO(name(operation) << " " << algorithm->name << " on " << ranks);
          CHECK(prove(Plan(request, *algorithm)).holds());
        }
      }
    }
  }
  CHECK_THROWS_WITH(with_counts(regular_request(Operation::bcast, 4, 0, 80), Counts::zipf), Catch::Contains("bcast"));
}
