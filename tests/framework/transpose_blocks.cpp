#include <complex>
#include <cstddef>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/shares.hpp>
#include <tombolo/framework/transpose_blocks.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;
using Shares = std::vector<std::int64_t>;

namespace {

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// `items` over ranks, some of which get none.
Shares random_shares(std::mt19937_64& random, std::int64_t items, int ranks) {
  Shares speeds(index(ranks));
  for (auto& speed : speeds) speed = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % 100);
  speeds[random() % speeds.size()] = 50;
  return proportional_shares(items, speeds);
}

/// All ranks in one process: block d of rank s goes to place s on rank d, as alltoallv does it. With `mix_up`
/// neighbours' blocks of equal size are exchanged on the way; false if there are none.
template <class T>
bool transpose_by(const TransposeShares& shares, const std::vector<T>& a, std::vector<T>& b, bool mix_up = false) {
  const int ranks = static_cast<int>(shares.a_rows.size());
  const auto first_a = first_of(shares.a_rows);
  const auto first_b = first_of(shares.b_rows);
  const std::int64_t m = first_a.back();
  const std::int64_t n = first_b.back();
  std::vector<std::vector<T>> sent;
  for (int s = 0; s < ranks; ++s) {
    sent.emplace_back(index(shares.a_rows[index(s)] * n));
    pack_transposed(shares, s, a.data() + first_a[index(s)] * n, sent.back().data());
  }
  b.assign(index(n * m), T(-1));
  bool mixed_up = false;
  for (int d = 0; d < ranks; ++d) {
    const Shares counts = transpose_receive_counts(shares, d);
    std::vector<T> received;
    for (int s = 0; s < ranks; ++s) {
      int from = s;
      const int next = (s + 1) % ranks;
      if (mix_up && next != s && counts[index(s)] == counts[index(next)] && counts[index(s)] > 0) {
        from = next;
        mixed_up = true;
      }
      const Shares sends = transpose_send_counts(shares, from);
      REQUIRE(sends[index(d)] == counts[index(s)]);
      const auto start = sent[index(from)].begin() + first_of(sends)[index(d)];
      received.insert(received.end(), start, start + sends[index(d)]);
    }
    unpack_transposed(shares, d, received.data(), b.data() + first_b[index(d)] * m);
  }
  return mixed_up;
}

/// Every element differs from all others, so one at a wrong place is seen.
template <class T>
std::vector<T> numbered(std::int64_t elements) {
  std::vector<T> values(index(elements));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = T(static_cast<float>(i));
  return values;
}

template <class T>
std::vector<T> transposed(const std::vector<T>& a, std::int64_t m, std::int64_t n) {
  std::vector<T> b(a.size());
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) b[index(j * m + i)] = a[index(i * n + j)];
  }
  return b;
}

}  // namespace

TEMPLATE_TEST_CASE("packed, exchanged and unpacked is transposed, on any number of ranks", "", float, double,
                   std::complex<float>, std::complex<double>) {
  std::mt19937_64 random(1);
  for (int ranks = 1; ranks <= 13; ++ranks) {
    for (const auto& [m, n] :
         {std::pair{1, 1}, {7, 5}, {5, 31}, {64, 64}, {97, 13}, {1, 50}, {50, 1}, {0, 9}, {9, 0}}) {
      const auto a = numbered<TestType>(std::int64_t{m} * n);
      for (int round = 0; round < 3; ++round) {
        const Shares a_rows = random_shares(random, m, ranks);
        const Shares b_rows = random_shares(random, n, ranks);
        std::vector<TestType> b;
        transpose_by({a_rows, b_rows}, a, b);
        REQUIRE(b == transposed(a, m, n));
      }
    }
  }
}

TEST_CASE("a block at the wrong place is seen") {
  for (int ranks = 2; ranks <= 13; ++ranks) {
    const std::int64_t m = std::int64_t{3} * ranks;
    const std::int64_t n = std::int64_t{2} * ranks;
    const Shares a_rows = equal_shares(m, ranks);
    const Shares b_rows = equal_shares(n, ranks);
    const auto a = numbered<double>(m * n);
    std::vector<double> b;
    REQUIRE(transpose_by({a_rows, b_rows}, a, b, true));
    REQUIRE(b != transposed(a, m, n));
  }
}

TEST_CASE("blocks follow the worked example") {
  const Shares a_rows{2, 1};
  const Shares b_rows{2, 2};
  const TransposeShares shares{a_rows, b_rows};
  CHECK(transpose_send_counts(shares, 0) == Shares{4, 4});
  CHECK(transpose_send_counts(shares, 1) == Shares{2, 2});
  CHECK(transpose_receive_counts(shares, 0) == Shares{4, 2});
  const std::vector<double> a{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<double> send(8);
  pack_transposed(shares, 0, a.data(), send.data());
  CHECK(send == std::vector<double>{1, 5, 2, 6, 3, 7, 4, 8});
  const std::vector<double> receive{1, 5, 2, 6, 9, 10};
  std::vector<double> b(6);
  unpack_transposed(shares, 0, receive.data(), b.data());
  CHECK(b == std::vector<double>{1, 5, 9, 2, 6, 10});
}

TEST_CASE("counts are of 64 bits") {
  const Shares a_rows{std::int64_t{1} << 30, 1};
  const Shares b_rows{1, std::int64_t{1} << 31};
  CHECK(transpose_send_counts({a_rows, b_rows}, 0) == Shares{std::int64_t{1} << 30, std::int64_t{1} << 61});
  CHECK(transpose_receive_counts({a_rows, b_rows}, 1) == Shares{std::int64_t{1} << 61, std::int64_t{1} << 31});
}

TEST_CASE("shares that do not fit are errors") {
  const Shares two{1, 1};
  const Shares three{1, 1, 1};
  const Shares negative{1, -1};
  double x = 0;
  CHECK_THROWS_AS(transpose_send_counts({two, three}, 0), Error);
  CHECK_THROWS_AS(transpose_receive_counts({two, two}, 2), Error);
  CHECK_THROWS_AS(transpose_receive_counts({two, two}, -1), Error);
  CHECK_THROWS_AS(transpose_send_counts({negative, two}, 0), Error);
  CHECK_THROWS_AS(pack_transposed({two, negative}, 0, &x, &x), Error);
  CHECK_THROWS_AS(unpack_transposed({two, three}, 0, &x, &x), Error);
}
