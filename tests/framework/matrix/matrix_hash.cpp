#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/units.hpp>

#include "framework/elements.hpp"

using namespace tombolo;

namespace {

constexpr std::int64_t m = 37;
constexpr std::int64_t n = 1100;  // more than the columns that are done at a time

template <class T>
std::vector<T> random_values(std::size_t elements) {
  std::mt19937_64 random(1);
  std::vector<T> values(elements);
  // Two bits of each byte differ: no NaN, for values are compared below.
  for (auto& value : values) {
    std::uint64_t words[2] = {random() & 0x3f3f3f3f3f3f3f3fU, random() & 0x3f3f3f3f3f3f3f3fU};
    std::memcpy(static_cast<void*>(&value), words, sizeof value);
  }
  return values;
}

template <class T>
void flip(T& value, std::size_t bit) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] ^ 1U << bit % 8);
  std::memcpy(static_cast<void*>(&value), bytes, sizeof value);
}

template <class T>
std::uint64_t hash_rows(const T* row_major, std::int64_t first_row, std::int64_t rows, std::int64_t columns,
                        bool transposed) {
  return hash_part(row_major, {first_row, rows, 0, columns}, false, transposed);
}

template <class T>
std::uint64_t hash(const std::vector<T>& a) {
  return hash_rows(a.data(), 0, m, n, false);
}

template <class T>
std::uint64_t hash_in_slices(const std::vector<T>& a, std::int64_t rows, std::int64_t columns, std::int64_t slice,
                             bool transposed) {
  std::uint64_t sum = 0;
  for (std::int64_t first = 0; first < rows; first += slice) {
    sum += hash_rows(a.data() + first * columns, first, std::min(slice, rows - first), columns, transposed);
  }
  return sum;
}

}  // namespace

TEMPLATE_TEST_CASE("a matrix and its transpose have one hash, in whatever slices", "", TOMBOLO_ELEMENTS) {
  const auto a = random_values<TestType>(m * n);
  std::vector<TestType> b(a.size());
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) b[j * m + i] = a[i * n + j];
  }
  const std::uint64_t whole = hash(a);
  for (const std::int64_t slice : {1, 2, 5, 36, 37, 2000}) {
    CHECK(hash_in_slices(a, m, n, slice, false) == whole);
    CHECK(hash_in_slices(b, n, m, slice, true) == whole);
    CHECK(hash_in_slices(b, n, m, slice, false) != whole);
    CHECK(hash_in_slices(a, m, n, slice, true) != whole);
  }
}

TEMPLATE_TEST_CASE("blocks add up to the hash, by rows and by columns", "", TOMBOLO_ELEMENTS) {
  const auto a = random_values<TestType>(m * n);
  std::uint64_t by_rows = 0;
  std::uint64_t by_columns = 0;
  for (const auto& [first_row, rows] : {std::pair<std::int64_t, std::int64_t>{0, 20}, {20, 0}, {20, m - 20}}) {
    for (const auto& [first_column, columns] : {std::pair<std::int64_t, std::int64_t>{0, 1}, {1, n - 1}}) {
      const Part part{first_row, rows, first_column, columns};
      std::vector<TestType> block(static_cast<std::size_t>(part.elements()));
      auto turned = block;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          const auto& value = a[static_cast<std::size_t>((first_row + i) * n + first_column + j)];
          block[static_cast<std::size_t>(i * columns + j)] = value;
          turned[static_cast<std::size_t>(j * rows + i)] = value;
        }
      }
      by_rows += hash_part(block.data(), part, false, false);
      by_columns += hash_part(turned.data(), part, true, false);
    }
  }
  CHECK(by_rows == hash(a));
  CHECK(by_columns == hash(a));
}

TEMPLATE_TEST_CASE("every flipped bit is seen", "", TOMBOLO_ELEMENTS) {
  auto a = random_values<TestType>(m * n);
  std::set<std::uint64_t> hashes{hash(a)};
  for (const std::size_t at : {std::size_t{0}, std::size_t{1023}, std::size_t{1024}, a.size() - 1}) {
    for (std::size_t bit = 0; bit < 8 * sizeof(TestType); ++bit) {
      flip(a[at], bit);
      REQUIRE(hashes.insert(hash(a)).second);
      flip(a[at], bit);
    }
  }
}

TEMPLATE_TEST_CASE("exchanged elements are seen if they differ", "", TOMBOLO_ELEMENTS) {
  auto a = random_values<TestType>(m * n);
  const std::uint64_t whole = hash(a);
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    auto& x = a[random() % a.size()];
    auto& y = a[random() % a.size()];
    const bool differ = x != y;
    std::swap(x, y);
    REQUIRE((hash(a) != whole) == differ);
    std::swap(x, y);
  }
  a[5] = a[700];
  const std::uint64_t equal = hash(a);
  std::swap(a[5], a[700]);
  CHECK(hash(a) == equal);
}

TEST_CASE("exchanged rows, columns and blocks are seen") {
  const auto a = random_values<double>(m * n);
  auto rows = a;
  std::swap_ranges(rows.begin(), rows.begin() + n, rows.begin() + 3 * n);
  CHECK(hash(rows) != hash(a));
  auto columns = a;
  for (std::size_t i = 0; i < m; ++i) std::swap(columns[i * n + 1], columns[i * n + 1050]);
  CHECK(hash(columns) != hash(a));
  auto turned = a;  // two elements of one row against two of another, in the same columns
  std::swap(turned[5], turned[n + 5]);
  std::swap(turned[9], turned[n + 9]);
  CHECK(hash(turned) != hash(a));
}

TEST_CASE("zeros with a sign and payloads of NaN are seen") {
  std::vector<double> a(m * n, 0.0);
  const std::uint64_t zeros = hash(a);
  a[100] = -0.0;
  CHECK(hash(a) != zeros);
  a[100] = std::nan("1");
  const std::uint64_t one = hash(a);
  CHECK(hash(a) == one);
  a[100] = std::nan("2");
  CHECK(hash(a) != one);
}

TEST_CASE("parts of complex elements are not exchanged unseen") {
  std::vector<std::complex<double>> a(m * n, {1, 2});
  const std::uint64_t before = hash(a);
  a[7] = {2, 1};
  CHECK(hash(a) != before);
}

TEST_CASE("missing rows are seen, empty slices add nothing, negative sizes are errors") {
  const std::vector<double> zeros(100);
  CHECK(hash_rows(zeros.data(), 0, 9, 10, false) != hash_rows(zeros.data(), 0, 10, 10, false));
  CHECK(hash_rows(zeros.data(), 0, 10, 10, false) != hash_rows(zeros.data(), 1, 10, 10, false));
  CHECK(hash_rows(zeros.data(), 5, 0, 10, false) == 0);
  CHECK(hash_rows(zeros.data(), 5, 10, 0, true) == 0);
  CHECK_THROWS_AS(hash_rows(zeros.data(), -1, 1, 1, false), Error);
  CHECK_THROWS_AS(hash_rows(zeros.data(), 0, -1, 1, false), Error);
  CHECK_THROWS_AS(hash_rows(zeros.data(), 0, 1, -1, true), Error);
}
