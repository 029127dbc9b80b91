#include <algorithm>
#include <barrier>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/matrix/freivalds.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

namespace {

template <class T>
struct Product {
  GemmShape shape;
  std::vector<T> a, b, c;

  T& at(std::int64_t i, std::int64_t j) { return c[static_cast<std::size_t>(i * shape.n + j)]; }
  void multiply() {
    c.assign(static_cast<std::size_t>(shape.m * shape.n), T{0});
    gemm(shape, a.data(), b.data(), c.data());
  }
  Verification verify(int vectors = 2, std::uint64_t seed = 1) const {
    return freivalds(shape, a.data(), b.data(), c.data(), vectors, seed);
  }
};

/// C = A B of generated values, each changed by `change` first.
template <class T, class Change>
Product<T> product(GemmShape shape, std::uint64_t seed, Change change) {
  Product<T> p{shape,
               std::vector<T>(static_cast<std::size_t>(shape.m * shape.k)),
               std::vector<T>(static_cast<std::size_t>(shape.k * shape.n)),
               {}};
  fill_random(seed, 0, 0, shape.m, shape.k, p.a.data());
  fill_random(seed, 1, 0, shape.k, shape.n, p.b.data());
  std::transform(p.a.begin(), p.a.end(), p.a.begin(), change);
  std::transform(p.b.begin(), p.b.end(), p.b.begin(), change);
  p.multiply();
  return p;
}

template <class T>
Product<T> product(GemmShape shape, std::uint64_t seed = 1) {
  return product<T>(shape, seed, [](T x) { return x; });
}

/// Right, and without computing a row again, which would have made the ratio 1.
void require_ok(const Verification& v) {
  INFO("row " << v.row << " ratio " << v.worst_ratio);
  REQUIRE(v.ok);
  REQUIRE(v.decided);
  REQUIRE(v.worst_ratio < 1);
}

void require_wrong(const Verification& v, std::int64_t row) {
  INFO("row " << v.row << " ratio " << v.worst_ratio);
  REQUIRE_FALSE(v.ok);
  REQUIRE(v.decided);
  REQUIRE(v.worst_ratio > 1);
  REQUIRE(v.row == row);
}

float flip(float x) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ (1U << 22));
}
double flip(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ (1ULL << 51));
}

/// Ranks that are threads of this process. Each adds up in another order, as those of an MPI library may.
class Threads {
 public:
  explicit Threads(int ranks) : barrier_(ranks), values_(static_cast<std::size_t>(ranks)) {}

  class Rank : public Combination {
   public:
    Rank(Threads& all, std::size_t rank) : all_(all), rank_(rank) {}
    void sum(std::span<double> values) override {
      combine(values, [](double x, double y) { return x + y; });
    }
    void largest(std::span<double> values) override {
      combine(values, [](double x, double y) { return std::max(x, y); });
    }

   private:
    template <class Op>
    void combine(std::span<double> values, Op op) {
      const std::vector<double> mine(values.begin(), values.end());
      all_.values_[rank_] = mine;
      all_.barrier_.arrive_and_wait();
      for (std::size_t r = 1; r < all_.values_.size(); ++r) {
        const std::span<const double> other = all_.values_[(rank_ + r) % all_.values_.size()];
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = op(values[i], other[i]);
      }
      all_.barrier_.arrive_and_wait();
    }

    Threads& all_;
    std::size_t rank_;
  };

 private:
  std::barrier<> barrier_;
  std::vector<std::span<const double>> values_;
};

/// A matrix in rectangles, each on one of the ranks.
template <class T>
struct Scattered {
  std::vector<std::vector<MatrixPart<T>>> of_ranks;
  std::vector<std::vector<T>> memory;
};

template <class T>
Scattered<T> scattered(const std::vector<T>& matrix, const MatrixShape& shape, std::size_t ranks,
                       std::mt19937& random) {
  const auto cuts = [&](std::int64_t length) {
    std::vector<std::int64_t> at{0, length};
    for (int i = 0; i < 3; ++i) at.push_back(std::uniform_int_distribution<std::int64_t>(0, length)(random));
    std::sort(at.begin(), at.end());
    return at;
  };
  Scattered<T> result;
  result.of_ranks.resize(ranks);
  const auto rows = cuts(shape.rows);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto columns = cuts(shape.columns);
    for (std::size_t j = 1; j < columns.size(); ++j) {
      const Part part{rows[i - 1], rows[i] - rows[i - 1], columns[j - 1], columns[j] - columns[j - 1]};
      auto& values = result.memory.emplace_back();
      for (std::int64_t r = part.first_row; r < part.first_row + part.rows; ++r) {
        const auto* const row = matrix.data() + r * shape.columns + part.first_column;
        values.insert(values.end(), row, row + part.columns);
      }
      result.of_ranks[random() % ranks].push_back({part, values.data()});
    }
  }
  return result;
}

/// Verifies a product on so many ranks, which hold it in random parts, and returns what they all say.
template <class T>
Verification on_ranks(const Product<T>& p, std::size_t ranks, std::mt19937& random) {
  const auto a = scattered(p.a, {p.shape.m, p.shape.k}, ranks, random);
  const auto b = scattered(p.b, {p.shape.k, p.shape.n}, ranks, random);
  const auto c = scattered(p.c, {p.shape.m, p.shape.n}, ranks, random);
  Threads all(static_cast<int>(ranks));
  std::vector<Verification> said(ranks);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < ranks; ++r) {
    threads.emplace_back([&, r] {
      Threads::Rank rank(all, r);
      said[r] = freivalds<T>(p.shape, a.of_ranks[r], b.of_ranks[r], c.of_ranks[r], rank, 2, 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Verification& v : said) {
    REQUIRE((v.ok == said[0].ok && v.decided == said[0].decided && v.row == said[0].row));
    REQUIRE(v.worst_ratio == said[0].worst_ratio);
    REQUIRE(v.largest_relative_error == said[0].largest_relative_error);
  }
  return said[0];
}

constexpr GemmShape shapes[] = {{1, 1, 1},     {7, 5, 3},     {64, 64, 64},   {33, 129, 77}, {100, 1, 300},
                                {1, 300, 100}, {300, 257, 1}, {50, 1100, 70}, {3, 65, 2000}, {257, 31, 513}};

}  // namespace

TEMPLATE_TEST_CASE("a correct product is verified at every shape", "", float, double) {
  for (const GemmShape shape : shapes) {
    const auto p = product<TestType>(shape);
    for (const int vectors : {1, 2, 3, 4, 8}) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) require_ok(p.verify(vectors, seed));
    }
  }
}

TEMPLATE_TEST_CASE("a correct product is verified whatever its data are like", "", float, double) {
  for (const GemmShape shape : {GemmShape{40, 200, 384}, GemmShape{9, 70, 1500}, GemmShape{30, 33, 17}}) {
    std::vector<Product<TestType>> products;
    products.push_back(product<TestType>(shape, 2, [](TestType x) { return std::abs(x); }));
    products.push_back(product<TestType>(shape, 3, [](TestType) { return TestType(0.1); }));  // errors all of one sign
    products.push_back(product<TestType>(shape, 4, [](TestType x) { return x > 0 ? TestType(1) : TestType(0); }));
    products.push_back(product<TestType>(shape, 5, [](TestType x) { return std::exp(TestType(30) * x); }));
    products.push_back(product<TestType>(shape, 6, [](TestType x) { return x * x * x * x * x * x * x; }));
    auto& cancelling = products.emplace_back(product<TestType>(shape, 7));
    for (std::size_t x = 1; x < cancelling.a.size(); x += 2) cancelling.a[x] = -cancelling.a[x - 1];
    for (auto& x : cancelling.b) x = 1 + x / 1000;
    cancelling.multiply();
    for (const auto& p : products) {
      for (std::uint64_t seed = 0; seed < 50; ++seed) require_ok(p.verify(2, seed));
    }
  }
}

TEMPLATE_TEST_CASE("a product whose every rounding errs the same way is verified, an error in it caught", "", float,
                   double) {
  // One large term, then terms of just less than half its last place: added one by one, all of them are lost.
  const TestType small = std::sqrt(std::numeric_limits<TestType>::epsilon() / TestType(2.2));
  auto p = product<TestType>({3, 20, 2000}, 1, [=](TestType) { return small; });
  for (std::size_t i = 0; i < 3; ++i) p.a[i * 2000] = 1;
  for (std::size_t j = 0; j < 20; ++j) p.b[j] = 1;
  p.multiply();
  for (std::uint64_t seed = 0; seed < 50; ++seed) REQUIRE(p.verify(2, seed).ok);
  p.at(1, 13) *= TestType(1.01);
  for (std::uint64_t seed = 0; seed < 50; ++seed) require_wrong(p.verify(2, seed), 1);
}

TEST_CASE("products of every scale are verified, and errors in them caught") {
  const GemmShape shape{20, 90, 60};
  for (const double scale : {1e-170, 1e-150, 1e-100, 1e-30, 1.0, 1e30, 1e100, 1e150}) {
    auto p = product<double>(shape, 1, [=](double x) { return x * scale; });
    require_ok(p.verify());
    if (scale < 1e-160) continue;  // every element of C is 0 there
    p.at(11, 40) += 0.01 * scale * scale;
    require_wrong(p.verify(), 11);
  }
  for (const float scale : {1e-30F, 1e-21F, 1e-15F, 1e15F, 1e18F}) {
    auto p = product<float>(shape, 1, [=](float x) { return x * scale; });
    require_ok(p.verify());
    if (scale < 1e-19F) continue;
    p.at(11, 40) += 0.1F * scale * scale;
    require_wrong(p.verify(), 11);
  }
}

TEST_CASE("factors whose squares are out of range are verified, and an error caught") {
  for (const double scale : {1e-170, 1e170}) {
    auto p = product<double>({20, 90, 60});
    for (auto& x : p.a) x *= scale;
    for (auto& x : p.b) x /= scale;
    p.multiply();
    require_ok(p.verify());
    p.at(11, 40) += 0.01;
    require_wrong(p.verify(), 11);
  }
}

TEST_CASE("rows and columns of very different scales are each verified at their own") {
  auto p = product<double>({60, 60, 60});
  for (std::size_t x = 0; x < p.a.size(); ++x) p.a[x] *= std::ldexp(1.0, static_cast<int>(x / 60) * 10 - 300);
  p.multiply();
  require_ok(p.verify());
  p.at(0, 7) *= 1.0001;  // 2^590 below the last row
  require_wrong(p.verify(), 0);
}

TEMPLATE_TEST_CASE("one wrong element is caught with every seed", "", float, double) {
  const double tiny = sizeof(TestType) == 4 ? 0.5 : 1e-9;
  for (const GemmShape shape :
       {GemmShape{1, 1, 1}, GemmShape{30, 30, 30}, GemmShape{33, 129, 77}, GemmShape{20, 1100, 300}}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      auto p = product<TestType>(shape, seed);
      const auto i = static_cast<std::int64_t>(mix64(seed) % static_cast<std::uint64_t>(shape.m));
      const auto j = static_cast<std::int64_t>(mix64(~seed) % static_cast<std::uint64_t>(shape.n));
      p.at(i, j) += static_cast<TestType>(tiny);
      require_wrong(p.verify(1, seed), i);
    }
  }
}

TEMPLATE_TEST_CASE("a flipped leading bit of a mantissa is caught with every seed", "", float, double) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    auto p = product<TestType>({20, 300, 256}, seed);
    auto row = static_cast<std::int64_t>(seed % 20);
    auto* const first = &p.at(row, 0);
    auto* const element =
        std::max_element(first, first + 300, [](auto x, auto y) { return std::abs(x) < std::abs(y); });
    *element = flip(*element);
    require_wrong(p.verify(2, seed), row);
  }
}

TEST_CASE("one wrong element of usual size is caught in float at 4096") {
  const GemmShape shape{5, 4096, 4096};
  auto p = product<float>(shape);
  require_ok(p.verify());
  const float usual = std::sqrt(4096.0F) / 3;
  for (std::int64_t j = 0; j < 4096; j += 1365) {
    const float right = p.at(3, j);
    p.at(3, j) = right + usual / 4;
    require_wrong(p.verify(2, 5), 3);
    p.at(3, j) = right;
  }
}

TEMPLATE_TEST_CASE("swapped rows, a dropped slice and a shifted slice are caught with every seed", "", float, double) {
  const GemmShape shape{50, 80, 120};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto right = product<TestType>(shape, seed);
    auto swapped = right;
    std::swap_ranges(&swapped.at(4, 0), &swapped.at(4, 0) + 80, &swapped.at(31, 0));
    auto dropped = right;
    std::fill_n(&dropped.at(20, 0), 10 * 80, TestType(0));
    auto shifted = right;
    std::copy_n(&right.c[20 * 80], 10 * 80, &shifted.at(21, 0));
    for (const auto& wrong : {swapped, dropped, shifted}) {
      const Verification v = wrong.verify(2, seed);
      REQUIRE_FALSE(v.ok);
      REQUIRE(v.decided);
    }
    CHECK((swapped.verify(2, seed).row == 4 || swapped.verify(2, seed).row == 31));
  }
}

TEST_CASE("two errors that may cancel are missed as often as said") {
  auto p = product<double>({10, 60, 40});
  p.at(7, 11) += 1;
  p.at(7, 29) -= 1;
  for (const int vectors : {1, 2, 4, 8}) {
    int missed = 0;
    for (std::uint64_t seed = 0; seed < 1024; ++seed) missed += p.verify(vectors, seed).ok;
    const double expected = std::ldexp(1024.0, -vectors);
    CHECK(std::abs(missed - expected) <= 5 * std::sqrt(expected));
  }
}

TEST_CASE("what is not finite leaves a product undecided, unless it can only be an error") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinity, -infinity, nan}) {
    for (const bool in_a : {true, false}) {
      auto p = product<double>({10, 100, 20});
      (in_a ? p.a : p.b)[63] = bad;
      p.multiply();
      const Verification v = p.verify();
      CHECK_FALSE(v.decided);
      CHECK_FALSE(v.ok);
      CHECK(v.row == (in_a ? 3 : 0));
      p.at(9, 80) += 1;  // in a row and group that the bad one does not reach
      if (in_a) require_wrong(p.verify(), 9);
    }
    auto p = product<double>({10, 100, 20});
    p.at(6, 5) = bad;  // A and B are small: no arithmetic gives this
    require_wrong(p.verify(), 6);
    CHECK(p.verify().worst_ratio == infinity);
  }
  const auto in_double = product<double>({4, 4, 4}, 1, [](double x) { return x * 1e160; }).verify();
  const auto in_float = product<float>({4, 4, 4}, 1, [](float x) { return x * 1e25F; }).verify();
  for (const Verification& overflow : {in_double, in_float}) {
    CHECK_FALSE(overflow.decided);
    CHECK_FALSE(overflow.ok);
  }
}

TEST_CASE("empty products are verified") {
  for (const GemmShape shape : {GemmShape{0, 0, 0}, GemmShape{0, 5, 7}, GemmShape{5, 0, 7}, GemmShape{5, 7, 0}}) {
    const Verification v = product<double>(shape).verify();
    require_ok(v);
    CHECK(v.row == -1);
    CHECK(v.worst_ratio == 0);
  }
  auto p = product<float>({5, 7, 0});
  p.at(2, 3) = 1e-30F;  // no terms: it has to be 0
  require_wrong(p.verify(), 2);
}

TEST_CASE("the relative error is that of the product") {
  auto p = product<double>({8, 50, 30}, 1, [](double) { return 1.0; });
  CHECK(p.verify().largest_relative_error == 0);  // whole numbers: exact
  p.at(5, 5) += 3;
  const double size = std::sqrt(30.0) * std::sqrt(30.0 * 50.0);
  CHECK(p.verify().largest_relative_error == Approx(3 / size).epsilon(1e-12));
}

TEST_CASE("a verification that makes no sense is an error") {
  const double x = 1;
  CHECK_THROWS_AS(freivalds<double>({-1, 1, 1}, &x, &x, &x), Error);
  CHECK_THROWS_AS(freivalds<double>({1, -1, 1}, &x, &x, &x), Error);
  CHECK_THROWS_AS(freivalds<double>({1, 1, -1}, &x, &x, &x), Error);
  CHECK_THROWS_AS(freivalds<double>({1, 1, 1}, &x, &x, &x, 0), Error);
  CHECK_THROWS_AS(freivalds<double>({1, 1, 1}, &x, &x, &x, 9), Error);
}

TEMPLATE_TEST_CASE("a product in parts on ranks is judged as the whole is", "", float, double) {
  std::mt19937 random(5);
  for (const std::size_t ranks : {1, 2, 3, 7}) {
    for (const GemmShape shape : shapes) {
      INFO(ranks << " ranks, " << shape.m << " x " << shape.n << " x " << shape.k);
      auto p = product<TestType>(shape);
      require_ok(on_ranks(p, ranks, random));
      const auto row = static_cast<std::int64_t>(random() % static_cast<unsigned>(shape.m));
      p.at(row, shape.n / 2) += TestType(5);
      require_wrong(on_ranks(p, ranks, random), row);
    }
  }
}

TEST_CASE("more rows than are judged at once are judged on ranks") {
  std::mt19937 random(6);
  auto p = product<float>({9000, 1100, 3});
  require_ok(on_ranks(p, 3, random));
  for (const std::int64_t row : {0, 4095, 4096, 8999}) {
    auto wrong = p;
    wrong.at(row, 1099) += 1;
    require_wrong(on_ranks(wrong, 3, random), row);
  }
}

TEST_CASE("on ranks, suspect rows are computed again, scales may differ, and what is not finite is left open") {
  const double infinity = std::numeric_limits<double>::infinity();
  std::mt19937 random(7);
  for (const std::size_t ranks : {1, 2, 5}) {
    // As above: every rounding errs the same way.
    const float small = std::sqrt(std::numeric_limits<float>::epsilon() / 2.2F);
    auto lost = product<float>({3, 20, 2000}, 1, [=](float) { return small; });
    for (std::size_t i = 0; i < 3; ++i) lost.a[i * 2000] = 1;
    for (std::size_t j = 0; j < 20; ++j) lost.b[j] = 1;
    lost.multiply();
    REQUIRE(on_ranks(lost, ranks, random).ok);
    lost.at(1, 13) *= 1.01F;
    require_wrong(on_ranks(lost, ranks, random), 1);

    auto scaled = product<double>({60, 60, 60});
    for (std::size_t x = 0; x < scaled.a.size(); ++x)
      scaled.a[x] *= std::ldexp(1.0, static_cast<int>(x / 60) * 10 - 300);
    scaled.multiply();
    require_ok(on_ranks(scaled, ranks, random));
    scaled.at(0, 7) *= 1.0001;
    require_wrong(on_ranks(scaled, ranks, random), 0);

    auto open = product<double>({10, 100, 20});
    open.a[63] = infinity;
    open.multiply();
    const Verification v = on_ranks(open, ranks, random);
    CHECK_FALSE(v.decided);
    CHECK_FALSE(v.ok);
    CHECK(v.row == 3);
    auto bad = product<double>({10, 100, 20});
    bad.at(6, 5) = -infinity;
    require_wrong(on_ranks(bad, ranks, random), 6);
  }
}
