#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/variants.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

using namespace tombolo;

namespace {

/// Hockney's, and messages above `eager` wait for their receives.
class WithRendezvous final : public Model {
 public:
  explicit WithRendezvous(Bytes eager) : eager_(eager) {}
  std::string name() const override { return "with rendezvous"; }
  std::string describe() const override { return name(); }
  MessageCost message(Rank from, Rank to, Bytes bytes) const override {
    MessageCost cost = links_.message(from, to, bytes);
    cost.synchronous = bytes > eager_;
    return cost;
  }
  Picoseconds local(Bytes bytes) const override { return links_.local(bytes); }
  Picoseconds longest_latency() const override { return links_.longest_latency(); }

 private:
  Hockney links_{{.latency = 50'000'000, .rate = 100'000'000}};
  Bytes eager_;
};

}  // namespace

TEST_CASE("the largest message without a rendezvous is found, whatever it is") {
  for (const Bytes eager : {0, 1, 65'520, 1 << 20}) CHECK(eager_limit(WithRendezvous(eager)) == eager);
}

TEST_CASE("segments are powers of two and the largest without a rendezvous, each shorter than the vector") {
  const WithRendezvous model(65'520);
  const std::vector<Bytes> sizes = segment_sizes(Request::bcast(4, 0, 100'000, 1), bcast_chain, model);
  CHECK(sizes == std::vector<Bytes>{65'536, 64'497, 32'768, 16'384, 8192, 4096, 2048, 1024});
  CHECK(segment_sizes(Request::bcast(4, 0, 512, 1), bcast_chain, model).empty());
  CHECK(segment_sizes(Request::bcast(1, 0, 100'000, 1), bcast_chain, model).empty());
  CHECK(segment_sizes(Request::bcast(4, 0, 4, 50'000), bcast_chain, model) ==
        std::vector<Bytes>{131'072, 65'536, 64'497});
  // A block is cut in eight at most.
  CHECK(segment_sizes(Request::scatterv(0, Blocks::equal(4, 80'000), 1), scatterv_k_ary, model) ==
        std::vector<Bytes>{262'144, 131'072, 65'536, 64'497, 32'768, 16'384});
  // Of a total exchange the messages are many; where blocks are collected first, each may be of several.
  const Request exchange = Request::alltoallv(16, AlltoallCounts::equal(16, 80'000), 1);
  CHECK(segment_sizes(exchange, alltoallv_direct, model) == std::vector<Bytes>{32'768});
  CHECK(segment_sizes(exchange, alltoallv_clusters, model) == std::vector<Bytes>{32'768});
  CHECK(segment_sizes(Request::alltoallv(16, AlltoallCounts::equal(16, 60'000), 1), alltoallv_direct, model).empty());
}

TEST_CASE("no other number of segments fills and empties a pipeline in less time, if all take one message each") {
  const Hockney model({.latency = 50'000'000, .rate = 125'000'000});
  for (const int ranks : {2, 3, 9, 64, 1000}) {
    for (const std::int64_t count : {1, 100, 8192, 70'000, 1'000'001}) {
      const Request request = Request::bcast(ranks, 0, count, 8);
      const auto time = [&](std::int64_t segments) {
        return (segments + bcast_circulant.filling(request)) * model.time((count + segments - 1) / segments * 8);
      };
      const Bytes segment = filling_segment(request, bcast_circulant, model);
      const std::int64_t chosen = segment == 0 ? 1 : (count * 8 + segment - 1) / segment;
      INFO(ranks << " ranks, " << count << " elements, " << chosen << " segments");
      for (std::int64_t segments = 1; segments <= std::min<std::int64_t>(count, 512); ++segments)
        CHECK(time(chosen) <= time(segments) + time(segments) / 200);
      const std::vector<Bytes> sizes = segment_sizes(request, bcast_circulant, model);
      if (segment >= 1024) CHECK(std::ranges::find(sizes, segment) != sizes.end());
    }
  }
  CHECK(filling_segment(Request::bcast(9, 0, 0, 8), bcast_circulant, model) == 0);
  CHECK(filling_segment(Request::bcast(9, 0, 1 << 20, 8), bcast_chain, model) == 0);
}

TEST_CASE("over equal links the numbers of segments next to the best are tried too") {
  const Request request = Request::bcast(113, 0, 262'144, 1);
  const auto tries = [&](const Model& model, std::int64_t segments) {
    const std::vector<Bytes> sizes = segment_sizes(request, bcast_circulant, model);
    return std::ranges::find(sizes, (262'144 + segments - 1) / segments) != sizes.end();
  };
  const Hockney even({.latency = 50'000'000, .rate = 100'000'000});
  const Bytes filling = filling_segment(request, bcast_circulant, even);
  const std::int64_t best = (262'144 + filling - 1) / filling;
  for (const std::int64_t segments : {best - 1, best, best + 1, best + 2}) CHECK(tries(even, segments));
  const WithRendezvous other(0);
  CHECK(tries(other, best));
  CHECK_FALSE(tries(other, best + 1));
}

TEST_CASE("variants are different from one another, the algorithm's own first, and more when there is time") {
  const WithRendezvous model(65'520);
  for (const Algorithm* algorithm : all_algorithms()) {
    const Request request{.operation = algorithm->operation, .ranks = 9, .count = 1000, .blocks = {}, .exchange = {}};
    const auto few = variants(request, *algorithm, model, 1000, Effort::usual);
    const auto some = variants(request, *algorithm, model, 1000, Effort::some);
    const auto many = variants(request, *algorithm, model, 1000, Effort::thorough);
    INFO(name(algorithm->operation) << " " << algorithm->name);
    CHECK(few.size() == 1);
    CHECK((few.front() == some.front() && few.front() == many.front()));
    CHECK((some.size() >= few.size() && many.size() >= some.size()));
    CHECK(few.front().radix == 0);
    CHECK((few.front().delay > 0) == algorithm->heeds(Parameter::delay));
    for (auto one = many.begin(); one != many.end(); ++one) CHECK(std::find(one + 1, many.end(), *one) == many.end());
    std::set<int> radices;
    for (const Parameters& p : many) radices.insert(p.radix);
    CHECK((radices.size() > 1) == (algorithm->radix > 0));
    CHECK(std::all_of(radices.begin(), radices.end(), [](int radix) { return radix < 9; }));
  }
}

TEST_CASE("vectors without a root are exchanged by all ranks at once too, if these are few") {
  const WithRendezvous model(65'520);
  const auto at_once = [&](Request request, Bytes segment) {
    const auto known = algorithms_for(request.operation);
    const auto exchange = std::ranges::find(known, "exchange", &Algorithm::name);
    const auto all = variants(request, **exchange, model, segment, Effort::some);
    return std::ranges::count(all, request.ranks, &Parameters::radix) == 1;
  };
  for (const int ranks : {3, 17, 64, 65}) {
    for (const Request& request : {Request::barrier(ranks), Request::allreduce(ranks, 1000, 8),
                                   Request::scan(ranks, 1000, 8), Request::exscan(ranks, 1000, 8)}) {
      INFO(name(request.operation) << ", " << ranks << " ranks");
      CHECK(at_once(request, 0) == (ranks <= 64));
      CHECK_FALSE(at_once(request, 1024));
    }
  }
}

TEST_CASE("ranks with faster links have higher rates, and none are given where all are alike") {
  class Unequal final : public Model {
   public:
    std::string name() const override { return "unequal"; }
    std::string describe() const override { return name(); }
    MessageCost message(Rank from, Rank to, Bytes bytes) const override {
      return {.transit = 1000, .wire = bytes * std::max(cost(from), cost(to))};
    }
    Picoseconds local(Bytes) const override { return 0; }
    Picoseconds longest_latency() const override { return 1000; }

   private:
    static Picoseconds cost(Rank rank) { return rank == 2 ? 10'000 : 1000; }
  };
  const std::vector<std::int64_t> found = rates(Request::barrier(5), Unequal());
  REQUIRE(found.size() == 5);
  CHECK(std::abs(found[2] - 100'000) < 1000);  // bytes per ms
  CHECK(std::abs(found[0] - 1'000'000) < 10'000);
  CHECK(rates(Request::barrier(5), WithRendezvous(100)).empty());
}
