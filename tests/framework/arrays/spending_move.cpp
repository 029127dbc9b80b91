#include <algorithm>
#include <complex>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/spending_move.hpp>

#include "framework/arrays/carried_out.hpp"
#include "framework/arrays/distributions.hpp"
#include "support/sanitized.hpp"

using namespace tombolo;
using Shares = std::vector<std::int64_t>;

namespace {

/// A rank's two memories, of as many elements.
template <class T>
struct Memories {
  std::vector<T> from;
  std::vector<T> to;
};

/// All ranks in one process, each with two memories that take turns; that every rank ends with what it is to have.
template <class T>
bool moves_all(const Redistribution& moves) {
  const int ranks = moves.ranks();
  const std::int64_t width = moves.from().shape().columns;
  constexpr Bytes element = sizeof(T);
  std::vector<SpendingMove> all;
  std::vector<Memories<T>> memories(index(ranks));
  PerRank<T> sent(index(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) {
    const SpendingMove& mine = all.emplace_back(moves, rank);
    auto& [from, to] = memories[index(rank)];
    from = held_by<T>(moves.from(), rank, width);
    REQUIRE(mine.room() >= std::ssize(from));
    from.resize(index(mine.room()), T(-1));
    to.assign(index(mine.room()), T(-2));
    mine.pack(element, bytes(from), bytes(to));
    const auto* const first = reinterpret_cast<const T*>(mine.sent(element, bytes(from), bytes(to)));
    const std::int64_t count = moves.operation() ? moves.sends(rank) : 0;
    sent[index(rank)].assign(first, first + count);
  }
  const PerRank<T> received = carried_out(moves, sent);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const SpendingMove& mine = all[index(rank)];
    auto& [from, to] = memories[index(rank)];
    std::byte* const into = mine.received(bytes(from), bytes(to));
    const auto& got = received[index(rank)];
    REQUIRE(std::ssize(got) <= mine.room());
    // What was sent is not needed any more; what is received into must not be.
    if (into == bytes(from) && moves.operation()) std::fill(from.begin(), from.end(), T(-3));
    std::copy(got.begin(), got.end(), reinterpret_cast<T*>(into));
    mine.unpack(element, bytes(from), bytes(to));
    const auto expected = held_by<T>(moves.to(), rank, width, moves.transposed());
    const std::vector<T>& result = mine.ends_in_source() ? from : to;
    if (!std::equal(expected.begin(), expected.end(), result.begin())) return false;
  }
  return true;
}

Redistribution transposed(const Layout& a, const Layout& b) {
  return {Distribution(a), Distribution(b), true};
}

}  // namespace

TEMPLATE_TEST_CASE("memories take turns, and a matrix is where it is to be", "", float, double, std::complex<float>,
                   std::complex<double>) {
  std::mt19937_64 random(1);
  for (const int ranks : {1, 2, 3, 5, 8, 13}) {
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

TEMPLATE_TEST_CASE("from any layout a matrix is transposed to any other one", "", float, std::complex<double>) {
  std::mt19937_64 random(2);
  for (const int ranks : {1, 2, 3, 4, 6, 13, 67}) {
    for (const auto& [m, n] : {std::pair{1, 1}, {5, 31}, {64, 64}, {97, 13}, {1, 50}, {50, 1}, {0, 9}, {9, 0}}) {
      for (const auto& [a, b] : layout_pairs(random, m, n, ranks)) {
        INFO(m << " x " << n << " on " << ranks);
        REQUIRE(moves_all<TestType>(transposed(a, b)));
      }
    }
  }
}

TEST_CASE("what is larger than the caches takes turns alike") {
  std::mt19937_64 random(3);
  const auto [m, n] = test::sanitized() ? std::pair{301, 407} : std::pair{1301, 1607};
  for (const auto& [a, b] : layout_pairs(random, m, n, 3)) REQUIRE(moves_all<double>(transposed(a, b)));
  const auto large = distributions(random, m, n, 3);
  for (const auto& from : large) {
    REQUIRE(moves_all<double>(Redistribution(from, large[random() % large.size()])));
    REQUIRE(moves_all<double>(Redistribution(from, Distribution::rows(Shares{n - 107, 0, 107}, m), true)));
  }
}

TEST_CASE("memories follow the worked example") {
  const Redistribution moves(Distribution::rows(Shares{2, 1}, 4), Distribution::rows(Shares{2, 2}, 3), true);
  const SpendingMove mine(moves, 0);
  CHECK((mine.room() == 8 && mine.packed() == 8 && mine.unpacked() == 6 && !mine.ends_in_source()));
  std::vector<double> from{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> to(8);
  mine.pack(sizeof(double), bytes(from), bytes(to));
  CHECK(to == std::vector<double>{3, 7, 4, 8, 1, 5, 2, 6});
  CHECK(mine.sent(sizeof(double), bytes(from), bytes(to)) == bytes(to));
  REQUIRE(mine.received(bytes(from), bytes(to)) == bytes(from));
  from = {9, 10, 0, 0, 0, 0, 0, 0};
  mine.unpack(sizeof(double), bytes(from), bytes(to));
  to.resize(6);
  CHECK(to == std::vector<double>{1, 5, 9, 2, 6, 10});
}

TEST_CASE("nothing is packed or unpacked that is in order, and a view is where it was") {
  const Shares rows{30, 20};
  const Shares columns{40, 25};
  const Layout a = Layout::rows(rows, 65);
  for (Rank rank = 0; rank < 2; ++rank) {
    const SpendingMove view(transposed(a, Layout::columns(65, rows)), rank);
    CHECK((view.is_view() && view.ends_in_source() && view.packed() == 0 && view.unpacked() == 0));
    const SpendingMove shifted(transposed(a, Layout::columns(65, Shares{20, 30})), rank);
    CHECK((shifted.packed() == 0 && shifted.unpacked() == 0 && !shifted.ends_in_source()));
    const SpendingMove to_rows(transposed(a, Layout::rows(columns, 50)), rank);
    CHECK((to_rows.packed() == a.part(rank).elements() && to_rows.unpacked() == columns[index(rank)] * 50));
  }
  const Layout turned = Layout::blocks(Shares{40, 25}, rows).placed({0, 2, 1, 3});
  for (Rank rank = 0; rank < 4; ++rank) {
    const SpendingMove own(transposed(Layout::blocks(rows, columns), turned), rank);
    CHECK((own.packed() == own.room() && own.unpacked() == 0 && !own.ends_in_source()));
  }
}
