#include <complex>
#include <cstring>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/platform/error.hpp>

#include "framework/arrays/carried_out.hpp"
#include "framework/arrays/distributions.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using Catch::Matchers::Contains;
using Shares = std::vector<std::int64_t>;

namespace {

/// All ranks in one process: packs, exchanges, unpacks; that every rank ends with what it is to have.
template <class T>
bool moves_all(const Redistribution& moves) {
  const int ranks = moves.ranks();
  const std::int64_t width = moves.from().shape().columns;
  PerRank<T> before(index(ranks));
  PerRank<T> sent(index(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    auto& mine = before[index(rank)];
    auto& packed = sent[index(rank)];
    mine = held_by<T>(moves.from(), rank, width);
    if (moves.packs(rank)) {
      packed.assign(index(moves.sends(rank)), T(-2));
      moves.pack(rank, sizeof(T), bytes(mine), bytes(packed));
    } else {
      REQUIRE(moves.sends(rank) <= std::ssize(mine));
      packed.assign(mine.begin(), mine.begin() + moves.sends(rank));
    }
  }
  const PerRank<T> received = carried_out(moves, sent);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const auto expected = held_by<T>(moves.to(), rank, width, moves.transposed());
    auto after = received[index(rank)];
    if (moves.unpacks(rank)) {
      after.assign(index(moves.to().elements(rank)), T(-1));
      moves.unpack(rank, sizeof(T), bytes(before[index(rank)]), bytes(received[index(rank)]), bytes(after));
    }
    if (after != expected) return false;
    if (moves.is_view(rank) && before[index(rank)] != expected && !moves.from().replicated()) return false;
  }
  return true;
}

/// Elements that are not received from the rank itself: no more than have to come from others.
std::int64_t least_received(const Redistribution& moves, Rank rank) {
  std::int64_t here = 0;
  for (const Part& to : moves.to().parts(rank)) {
    for (const Part& from : moves.from().parts(rank)) {
      here += overlap(from, moves.transposed() ? to.transposed() : to).elements();
    }
  }
  return moves.to().elements(rank) - here;
}

}  // namespace

TEMPLATE_TEST_CASE("packed, sent and unpacked, a matrix is where it is to be", "", float, double,
                   std::complex<double>) {
  std::mt19937_64 random(1);
  for (const int ranks : {1, 2, 3, 5, 8, 13, 16}) {
    for (const auto& [m, n] : {std::pair{7, 5}, {29, 18}, {1, 23}, {23, 1}, {0, 6}, {6, 0}}) {
      const auto targets = distributions(random, m, n, ranks);
      const auto turned = distributions(random, n, m, ranks);
      for (const Distribution& from : distributions(random, m, n, ranks)) {
        INFO(m << " x " << n << " on " << ranks);
        for (const Distribution& to : targets) REQUIRE(moves_all<TestType>(Redistribution(from, to)));
        for (const Distribution& to : turned) REQUIRE(moves_all<TestType>(Redistribution(from, to, true)));
      }
    }
  }
}

TEST_CASE("elements of any size are moved, and what is larger than the caches") {
  struct Odd {
    explicit Odd(float x) : value(x) {}
    bool operator==(const Odd&) const = default;
    float value;
    std::array<char, 8> rest{1, 2, 3};
  };
  static_assert(sizeof(Odd) == 12);
  std::mt19937_64 random(2);
  for (const auto& from : distributions(random, 35, 71, 3)) {
    for (const auto& to : distributions(random, 71, 35, 3)) REQUIRE(moves_all<Odd>(Redistribution(from, to, true)));
  }
  const auto [m, n] = test::sanitized() ? std::pair{301, 407} : std::pair{1301, 1607};
  const auto large = distributions(random, m, n, 3);
  for (const auto& from : large) {
    REQUIRE(moves_all<double>(Redistribution(from, large[random() % large.size()])));
    REQUIRE(moves_all<double>(Redistribution(from, Distribution::rows(Shares{n - 107, 0, 107}, m), true)));
  }
}

TEST_CASE("more ranks than keep their own or know all counts") {
  std::mt19937_64 random(3);
  for (const int ranks : {67, 259}) {
    const int bands = ranks / 7;
    std::vector<Rank> owners(index(bands) * 7, 3);
    const auto rows = Distribution::rows(random_shares(random, 401, ranks), 350);
    const auto columns = Distribution::columns(401, random_shares(random, 350, ranks));
    const auto blocks =
        Distribution::blocks(random_shares(random, 401, bands), random_shares(random, 350, 7), owners, ranks);
    for (Rank& owner : owners) owner = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
    const auto scattered =
        Distribution::blocks(random_shares(random, 401, bands), random_shares(random, 350, 7), owners, ranks);
    for (const auto& from : {rows, columns, blocks, scattered}) {
      for (const auto& to : {rows, columns, blocks, scattered}) REQUIRE(moves_all<float>(Redistribution(from, to)));
    }
    const Request turned = *Redistribution(rows, columns).request(5, 8);
    CHECK(turned.exchange.factors());
    CHECK(turned.knowledge == Knowledge::everywhere);
    const Request any = *Redistribution(scattered, rows).request(5, 8);
    CHECK(any.exchange.knows(0) == (ranks <= Redistribution::most_in_matrix));
    CHECK(any.knowledge == (any.exchange.knows(0) ? Knowledge::everywhere : Knowledge::as_in_mpi));
  }
}

TEST_CASE("each pair of distributions becomes the operation that does it") {
  const MatrixShape shape{30, 20};
  const auto root = Distribution::at(1, shape, 3);
  const auto other = Distribution::at(2, shape, 3);
  const auto all = Distribution::everywhere(shape, 3);
  const auto rows = Distribution::rows(Shares{10, 15, 5}, 20);
  const auto others = Distribution::rows(Shares{12, 8, 10}, 20);
  const auto columns = Distribution::columns(30, Shares{5, 10, 5});
  const auto one = Distribution::rows(Shares{0, 30, 0}, 20);
  const auto operation = [](const Distribution& from, const Distribution& to) {
    return Redistribution(from, to).operation();
  };
  for (const auto& to : {root, all, rows, columns}) CHECK_FALSE(operation(all, to));
  for (const auto& same : {root, rows, columns}) CHECK_FALSE(operation(same, same));
  CHECK_FALSE(operation(root, one));
  CHECK(operation(root, all) == Operation::bcast);
  CHECK(operation(one, all) == Operation::bcast);
  CHECK(operation(root, rows) == Operation::scatterv);
  CHECK(operation(root, other) == Operation::scatterv);
  CHECK(operation(rows, root) == Operation::gatherv);
  CHECK(operation(columns, one) == Operation::gatherv);
  CHECK(operation(rows, all) == Operation::allgatherv);
  CHECK(operation(rows, others) == Operation::alltoallv);
  CHECK(operation(rows, columns) == Operation::alltoallv);
  CHECK_FALSE(Redistribution(rows, Distribution::columns(20, Shares{10, 15, 5}), true).operation());
}

TEST_CASE("where shares change each rank may know its own counts only") {
  const auto rows = Distribution::rows(Shares{10, 15, 5}, 20);
  const Redistribution moves(rows, Distribution::rows(Shares{12, 8, 10}, 20));
  CHECK(moves.in_bands());
  CHECK_FALSE(Redistribution(rows, Distribution::columns(30, Shares{5, 10, 5})).in_bands());
  for (Rank rank = 0; rank < 3; ++rank) {
    const Request all = *moves.request(rank, 8);
    const Request own = *moves.request(rank, 8, Knowledge::as_in_mpi);
    CHECK((all.knowledge == Knowledge::everywhere && own.knowledge == Knowledge::as_in_mpi));
    CHECK(own.exchange == all.exchange.seen_by(rank));
  }
  CHECK(moves.request(1, 8)->exchange.sends(1) == Blocks({40, 160, 100}));
}

TEST_CASE("nothing is packed that is in order, nothing sent that stays") {
  std::mt19937_64 random(4);
  for (const int ranks : {2, 3, 8, 17}) {
    const auto some_rows = [&] { return Distribution::rows(random_shares(random, 60, ranks), 7); };
    const auto root = Distribution::at(ranks - 1, {60, 7}, ranks);
    const auto everywhere = Distribution::everywhere({60, 7}, ranks);
    for (const Redistribution& moves :
         {Redistribution(some_rows(), some_rows()), Redistribution(root, some_rows()),
          Redistribution(some_rows(), root), Redistribution(some_rows(), everywhere),
          Redistribution(some_rows(), Distribution::columns(7, random_shares(random, 60, ranks)), true)}) {
      if (!moves.operation() || moves.operation() == Operation::bcast) continue;
      for (Rank rank = 0; rank < ranks; ++rank) CHECK_FALSE((moves.packs(rank) || moves.unpacks(rank)));
    }
    for (const auto& from : distributions(random, 60, 7, ranks)) {
      for (const auto& to : distributions(random, 60, 7, ranks)) {
        const Redistribution moves(from, to);
        const bool in_order = !moves.operation() || (!moves.packs(0) && !moves.unpacks(0));
        if (moves.operation() != Operation::alltoallv || in_order) continue;
        for (Rank rank = 0; rank < ranks; ++rank) {
          if (moves.keeps(rank) > 0) CHECK(moves.receives(rank) == least_received(moves, rank));
        }
      }
    }
  }
}

TEST_CASE("a rank's own array is a view where it is what is to be") {
  const Shares shares{10, 15, 5};
  const auto rows = Distribution::rows(shares, 20);
  const Redistribution same(rows, rows);
  const Redistribution turned(rows, Distribution::columns(20, shares), true);
  const Redistribution copies(Distribution::everywhere({30, 20}, 3), rows);
  for (Rank rank = 0; rank < 3; ++rank) {
    CHECK((same.is_view(rank) && turned.is_view(rank) && same.keeps(rank) == rows.elements(rank)));
    CHECK(copies.is_view(rank) == (rank == 0));  // whose rows are the first ones
  }
  CHECK_FALSE(Redistribution(rows, Distribution::rows(Shares{15, 10, 5}, 20)).is_view(2));
}

TEST_CASE("what is beyond 2^31 elements is counted as any other") {
  const std::int64_t large = std::int64_t{1} << 40;
  const auto rows = Distribution::rows(Shares{large, 0, large + 3}, 1000);
  const Redistribution moves(rows, Distribution::columns(2 * large + 3, Shares{1, 900, 99}));
  CHECK(moves.request(0, 8)->exchange.sends(0).count(1) == large * 900);
  CHECK(moves.keeps(0) == large);
  CHECK(Redistribution(rows, Distribution::everywhere(rows.shape(), 3)).receives(1) == (2 * large + 3) * 1000);
}

TEST_CASE("what does not match is refused, with its values") {
  const auto rows = Distribution::rows(Shares{10, 15}, 20);
  CHECK_THROWS_WITH(Redistribution(rows, Distribution::at(0, {20, 25}, 2)),
                    Contains("20 x 25 as one of 25 x 20") && Contains("of a matrix of 25 x 20"));
  CHECK_THROWS_WITH(Redistribution(rows, rows, true), Contains("25 x 20 as the transpose of one of 25 x 20"));
  CHECK_THROWS_WITH(Redistribution(rows, Distribution::at(0, {25, 20}, 3)), Contains("on 2 ranks to be moved to 3"));
}
