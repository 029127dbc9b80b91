// Partial values of every operation and type begin as its identity, on ranks without items too.
#include <complex>
#include <limits>
#include <numeric>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

constexpr std::int64_t items = 21;

template <class T>
T combined(Reduce how, T a, T b) {
  if (how == Reduce::sum) return static_cast<T>(a + b);
  if (how == Reduce::product) return static_cast<T>(a * b);
  return how == Reduce::max ? std::max(a, b) : std::min(a, b);
}

// Each rank's items, of which some have none; in a number and in an array of two elements, which differ.
template <class T>
bool reduces(Session& session, Reduce how, int panels, const std::function<T(std::int64_t)>& value) {
  Program program(session, "reduces", options(session, Kind::tombolo, panels));
  const bool given = panels == 1;
  const Domain rows = program.domain(
      "rows", items, {.given = given ? uneven_shares(items, session.ranks()) : std::vector<std::int64_t>{}});
  const auto p = program.partial<T>("p", how);
  const auto parts = program.partial<T>("parts", {1, 2}, how);
  program.compute("combine", rows, any(), combines(p), combines(parts),
                  [=](const Range& range, T& part, View<T, 2> both) {
                    for (std::int64_t i = range.first(); i < range.end(); ++i) {
                      part = combined(how, part, value(i));
                      both(0, i % 2) = combined(how, both(0, i % 2), value(i));
                    }
                  });
  program.allreduce(p);
  program.allreduce(parts);
  T expected = value(0);
  for (std::int64_t i = 1; i < items; ++i) expected = combined(how, expected, value(i));
  std::vector<T> both{value(0), value(1)};
  for (std::int64_t i = 2; i < items; ++i) {
    T& to = both[static_cast<std::size_t>(i % 2)];
    to = combined(how, to, value(i));
  }
  bool right = true;
  for (int run = 0; run < 2; ++run) {
    program.run();
    right = right && program.local(p) == expected && std::ranges::equal(program.local(parts), both);
  }
  return agreed(right);
}

// Maps x -> ax + b of numbers modulo a prime, one after the other: associative, and the order matters.
constexpr std::uint64_t prime = 65521;
constexpr std::uint64_t affine(std::uint64_t a, std::uint64_t b) {
  return (a % prime) << 32U | b % prime;
}
std::uint64_t first_then_second(std::uint64_t first, std::uint64_t second) {
  const std::uint64_t a = second >> 32U;
  const std::uint64_t b = second & 0xffffffffU;
  return affine(a * (first >> 32U), a * (first & 0xffffffffU) + b);
}
std::uint64_t map_of(std::int64_t item) {
  const auto i = static_cast<std::uint64_t>(item);
  return affine(i * i + 2, 3 * i + 1);
}

std::int64_t greatest_divisor(std::int64_t a, std::int64_t b) {
  return std::gcd(a, b);
}

}  // namespace

TEMPLATE_TEST_CASE("partial values begin as identities", "", std::int8_t, std::int32_t, std::int64_t, float, double) {
  Session session = make_session();
  using T = TestType;
  const int panels = GENERATE(1, 3);
  const std::function<T(std::int64_t)> negative = [](std::int64_t i) { return static_cast<T>(-7 - (i * 5) % items); };
  const std::function<T(std::int64_t)> positive = [](std::int64_t i) { return static_cast<T>(7 + (i * 5) % items); };
  const std::function<T(std::int64_t)> factor = [](std::int64_t i) { return static_cast<T>(i % 7 == 2 ? -2 : 1); };
  const std::function<T(std::int64_t)> term = [](std::int64_t i) { return static_cast<T>(i % 5 - 3); };
  CHECK(reduces<T>(session, Reduce::max, panels, negative));
  CHECK(reduces<T>(session, Reduce::min, panels, negative));
  CHECK(reduces<T>(session, Reduce::min, panels, positive));
  CHECK(reduces<T>(session, Reduce::max, panels, positive));
  CHECK(reduces<T>(session, Reduce::product, panels, factor));
  CHECK(reduces<T>(session, Reduce::sum, panels, term));
}

TEST_CASE("partial values of unsigned integers begin as identities") {
  Session session = make_session();
  const std::function<std::uint32_t(std::int64_t)> value = [](std::int64_t i) {
    return std::numeric_limits<std::uint32_t>::max() - static_cast<std::uint32_t>(i);
  };
  for (const Reduce how : {Reduce::sum, Reduce::max, Reduce::min})
    CHECK(reduces<std::uint32_t>(session, how, 1, value));
}

TEST_CASE("a maximum and a minimum are not a number if one of their parts is not, whichever") {
  Session session = make_session();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (std::int64_t which = 0; which < items; which += 4) {
      Program program(session, "no number", options(session, kind));
      const Domain rows = program.domain("rows", items);
      const auto most = program.partial<double>("most", Reduce::max);
      const auto least = program.partial<float>("least", Reduce::min);
      program.compute("combine", rows, any(), combines(most), combines(least),
                      [=](const Range& range, double& large, float& small) {
                        if (range.first() > which || which >= range.end()) return;
                        large = std::nan("");
                        small = std::nanf("");
                      });
      program.allreduce(most);
      program.allreduce(least);
      program.run();
      CHECK(agreed(std::isnan(program.local(most)) && std::isnan(program.local(least))));
    }
  }
}

TEST_CASE("complex numbers are added and multiplied, and have no order") {
  Session session = make_session();
  using Complex = std::complex<double>;
  Program program(session, "complex", options(session));
  const Domain rows = program.domain("rows", 9);
  const auto sum = program.partial<Complex>("sum", Reduce::sum);
  const auto product = program.partial<Complex>("product", Reduce::product);
  CHECK_THAT(words_of([&] { program.partial<Complex>("most", Reduce::max); }),
             Catch::Contains("no maximum and no minimum"));
  program.compute("combine", rows, any(), combines(sum), combines(product),
                  [](const Range& range, Complex& s, Complex& p) {
                    s += Complex(static_cast<double>(range.count()), 0);
                    for (std::int64_t i = 0; i < range.count(); ++i) p *= Complex(0, 1);
                  });
  program.allreduce(sum);
  program.allreduce(product);
  program.run();
  CHECK(agreed(program.local(sum) == Complex(9, 0) && program.local(product) == Complex(0, 1)));
}

TEST_CASE("functions of one's own combine, in the order of the items where they do not commute") {
  Session session = make_session();
  std::uint64_t expected = affine(1, 0);
  for (std::int64_t i = 0; i < items; ++i) expected = first_then_second(expected, map_of(i));
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {1, 4}) {
      for (const bool halo : {false, true}) {
        INFO(panels << " panels, " << (halo ? "with" : "without") << " a halo");
        Program program(session, "own", options(session, kind, panels));
        const Domain rows = program.domain("rows", items);
        const auto map = program.partial<std::uint64_t, first_then_second>("map", affine(1, 0), false);
        const auto divisor = program.partial<std::int64_t, greatest_divisor>("divisor", 0);
        const auto a = program.array<double>("a", {items}, Distributed::over(rows).with_halo(halo ? 1 : 0));
        const auto follow = [](const Range& range, auto, std::uint64_t& all, std::int64_t& common) {
          for (std::int64_t i = range.first(); i < range.end(); ++i) {
            all = first_then_second(all, map_of(i));
            common = greatest_divisor(common, 6 * (i + 1));
          }
        };
        if (halo) {  // of which rows far from it come first where communication overlaps
          program.halo(a);
          program.compute("follow", rows, any(), around(a), combines(map), combines(divisor), follow);
        } else {
          program.compute("follow", rows, any(), reads(a), combines(map), combines(divisor), follow);
        }
        program.allreduce(map);
        program.allreduce(divisor);
        for (int run = 0; run < 2; ++run) {
          program.run();
          CHECK(agreed(program.local(map) == expected));
          CHECK(agreed(program.local(divisor) == 6));
        }
      }
    }
  }
}

TEST_CASE("what computations and a task of one's own combine is reduced together") {
  Session session = make_session();
  Program program(session, "together", options(session));
  const Domain rows = program.domain("rows", 10);
  const auto p = program.partial<std::int64_t>("p", Reduce::sum);
  const auto count = [](const Range& range, std::int64_t& sum) { sum += range.count(); };
  program.compute("count", rows, any(), combines(p), count);
  program.compute("count again", rows, any(), combines(p), count);
  program.task("one", {}, combines(p), [](Collectives&, std::int64_t& sum) { sum += 100; });
  program.allreduce(p);
  for (int run = 0; run < 2; ++run) {
    program.run();
    CHECK(agreed(program.local(p) == 20 + 100 * session.ranks()));
  }
}
