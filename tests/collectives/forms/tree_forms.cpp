// Binomial trees and flat ones on unlike ranks and links.
#include <algorithm>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/models/kinds/hockney/hockney.hpp>

#include "collectives/forms/hockney_tree.hpp"
#include "collectives/forms/lmo_linear.hpp"
#include "collectives/forms/log2.hpp"
#include "form_models.hpp"

using namespace tombolo;
using test::FunctionModel;
using test::makespan;

namespace {

// alpha_ij and beta_ij of every pair, alike in both directions or not.
class Links {
 public:
  Links(int ranks, bool symmetric, std::mt19937& random) : ranks_(ranks) {
    for (int i = 0; i < ranks * ranks; ++i) {
      alpha_.push_back(1'000'000 + static_cast<Picoseconds>(random() % 300'000'000));
      beta_.push_back(100 + static_cast<Picoseconds>(random() % 20'000));
    }
    for (int i = 0; symmetric && i < ranks; ++i) {
      for (int j = 0; j < i; ++j) {
        alpha_[index(i, j)] = alpha_[index(j, i)];
        beta_[index(i, j)] = beta_[index(j, i)];
      }
    }
  }
  Picoseconds operator()(Rank from, Rank to, Bytes bytes) const {
    return alpha_[index(from, to)] + beta_[index(from, to)] * bytes;
  }

 private:
  std::size_t index(int i, int j) const { return static_cast<std::size_t>(i * ranks_ + j); }
  int ranks_;
  std::vector<Picoseconds> alpha_, beta_;
};

std::vector<Rank> shuffled(int ranks, std::mt19937& random) {
  std::vector<Rank> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

}  // namespace

TEST_CASE("binomial scatter on unlike links takes what equation 1 says, for any ranks, root and mapping") {
  std::mt19937 random(11);
  for (int ranks = 2; ranks <= 40; ++ranks) {
    for (const bool symmetric : {true, false}) {
      const Links links(ranks, symmetric, random);
      const std::vector<Rank> order = shuffled(ranks, random);
      for (const std::int64_t block : {1, 10, 30'000}) {
        const Request request = Request::scatterv(order.front(), Blocks::equal(ranks, block), 1);
        CHECK(makespan(request, scatterv_binomial, test::one_port(links), {.order = order}) ==
              forms::binomial_scatter(links, order, block));
      }
    }
  }
}

TEST_CASE("binomial gather on unlike links takes at most that, and as much on equal ones") {
  std::mt19937 random(12);
  const Hockney equal({.latency = 30'000'000, .rate = 500'000'000, .memory_rate = 1'000'000'000'000'000});
  const auto time = [&](Rank, Rank, Bytes bytes) { return equal.time(bytes); };
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const Links links(ranks, ranks % 2 == 0, random);
    const std::vector<Rank> order = shuffled(ranks, random);
    for (const std::int64_t block : {10, 30'000}) {
      const Request request = Request::gatherv(order.front(), Blocks::equal(ranks, block), 1);
      const Picoseconds form = forms::binomial_gather(links, order, block);
      const Picoseconds predicted = makespan(request, gatherv_binomial, test::one_port(links), {.order = order});
      CHECK(predicted <= form);
      CHECK(2 * predicted >= form);  // all goes through the root's port, which idles at the beginning at most
      CHECK(makespan(request, gatherv_binomial, test::one_port(time), {.order = order}) ==
            forms::binomial_gather(time, order, block));
    }
  }
}

TEST_CASE("equation 2 is equation 1 for eight ranks") {
  std::mt19937 random(13);
  const Links t(8, true, random);
  const Bytes m = 5000;
  const std::vector<Rank> order = {0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(forms::binomial_scatter(t, order, m) ==
        t(0, 4, 4 * m) + std::max(t(0, 2, 2 * m) + std::max(t(0, 1, m), t(2, 3, m)),
                                  t(4, 6, 2 * m) + std::max(t(4, 5, m), t(6, 7, m))));
  CHECK(forms::binomial_scatter(t, std::vector<Rank>{3}, m) == 0);
}

TEST_CASE("equation 3 is equation 1 on equal links") {
  const Hockney equal({.latency = 177'000'000, .rate = 45'662'100});
  const auto time = [&](Rank, Rank, Bytes bytes) { return equal.time(bytes); };
  for (const int ranks : {2, 4, 8, 16, 64}) {
    std::vector<Rank> order(static_cast<std::size_t>(ranks));
    std::iota(order.begin(), order.end(), 0);
    const Picoseconds closed = forms::binomial_scatter(177'000'000, 45'662'100, ranks, 4096);
    const Picoseconds recursive = forms::binomial_scatter(time, order, 4096);
    CHECK(recursive >= closed);
    CHECK(recursive - closed <= forms::log2_ceil(ranks));  // every message's time is rounded up
  }
}

namespace {

using Linear = forms::LmoLinear;

Linear random_linear(int others, std::mt19937& random) {
  Linear linear;
  linear.root_delay = 20'000'000 + static_cast<Picoseconds>(random() % 50'000'000);
  linear.root_per_byte = 1'000'000'000 + static_cast<PerMegabyte>(random() % 1'000'000'000);
  for (int i = 0; i < others; ++i) {
    linear.others.push_back({.delay = 10'000'000 + static_cast<Picoseconds>(random() % 90'000'000),
                             .per_byte = static_cast<PerMegabyte>(random() % 2'000'000'000),
                             .latency = static_cast<Picoseconds>(random() % 2 * 5'000'000),
                             .wire = 8'000'000'000 + static_cast<PerMegabyte>(random() % 4'000'000'000)});
  }
  return linear;
}

// e_i(M) and what the root does for it.
Picoseconds beyond_root(const Linear::Other& other, Bytes bytes) {
  return other.delay + other.latency + time_for(bytes, other.per_byte + other.wire);
}
Picoseconds at_root(const Linear& linear, Bytes bytes) {
  return linear.root_delay + time_for(bytes, linear.root_per_byte);
}
const Linear::Other& other(const Linear& linear, Rank rank) {
  return linear.others[static_cast<std::size_t>(rank) - 1];
}

}  // namespace

TEST_CASE("LMO's scatter of small blocks goes on in parallel, and the slowest served last shows") {
  std::mt19937 random(14);
  for (const int others : {1, 2, 5, 15}) {
    Linear linear = random_linear(others, random);
    linear.serial_scatter = 100'000;
    const Request request = Request::scatterv(0, Blocks::equal(others + 1, 3000), 1);
    const auto predicted = [&] {
      const FunctionModel model([&](Rank, Rank to, Bytes bytes) {
        const Picoseconds own = at_root(linear, bytes);
        return MessageCost{.send = own, .transit = own + beyond_root(other(linear, to), bytes)};
      });
      return makespan(request, scatterv_flat, model);
    };
    CHECK(predicted() <= linear.scatter(3000));
    CHECK(predicted() >= linear.scatter(3000) - (others - 1) * at_root(linear, 3000));
    std::sort(linear.others.begin(), linear.others.end(),
              [](const auto& a, const auto& b) { return beyond_root(a, 3000) < beyond_root(b, 3000); });
    CHECK(predicted() == linear.scatter(3000));
  }
}

TEST_CASE("LMO's scatter and gather of large blocks go one after the other") {
  std::mt19937 random(15);
  for (const int others : {1, 3, 12}) {
    Linear linear = random_linear(others, random);
    linear.serial_scatter = 999;
    linear.small_gather = 500;
    linear.large_gather = 2999;
    const auto serial = test::one_port([&](Rank from, Rank to, Bytes bytes) {
      return at_root(linear, bytes) + beyond_root(other(linear, std::max(from, to)), bytes);
    });
    const Blocks blocks = Blocks::equal(others + 1, 3000);
    CHECK(makespan(Request::scatterv(0, blocks, 1), scatterv_flat, serial) == linear.scatter(3000));
    CHECK(makespan(Request::gatherv(0, blocks, 1), gatherv_flat, serial) == linear.gather(3000));
  }
}

TEST_CASE("LMO's gather of small blocks ends with the root's work on all of them") {
  std::mt19937 random(16);
  for (const int others : {1, 4, 15}) {
    Linear linear = random_linear(others, random);
    linear.small_gather = 4000;
    linear.large_gather = 65'000;
    const FunctionModel model([&](Rank from, Rank, Bytes bytes) {
      return MessageCost{.transit = beyond_root(other(linear, from), bytes), .receive = at_root(linear, bytes)};
    });
    const Request request = Request::gatherv(0, Blocks::equal(others + 1, 3000), 1);
    CHECK(makespan(request, gatherv_flat, model) <= linear.gather(3000));
    std::fill(linear.others.begin(), linear.others.end(), linear.others.front());
    CHECK(makespan(request, gatherv_flat, model) == linear.gather(3000));
    CHECK_FALSE(linear.gather(4000).has_value());
    CHECK_FALSE(linear.gather(65'000).has_value());
    CHECK(linear.gather(65'001).has_value());
  }
}

TEST_CASE("the slope corrections make gathers as steep as what was measured") {
  std::mt19937 random(17);
  Linear linear = random_linear(9, random);
  linear.small_gather = 1'000'001;
  linear.large_gather = 1'000'001;
  // One that is the slowest at all sizes.
  linear.others.push_back({.delay = 500'000'000, .per_byte = 3'000'000'000, .latency = 0, .wire = 15'000'000'000});
  const PerMegabyte measured = 250'000'000'000;
  linear.slope_small = linear.kappa_small(measured);
  linear.slope_large = linear.kappa_large(measured);
  const auto slope = [&](Bytes from, Bytes to) {
    return (*linear.gather(to) - *linear.gather(from)) * 1'000'000 / (to - from);
  };
  CHECK(std::abs(slope(0, 1'000'000) - measured) <= 100);
  CHECK(std::abs(slope(2'000'000, 3'000'000) - measured) <= 100);
}
