// Arrays that go from one way of being held to another.
#include <algorithm>
#include <complex>
#include <numeric>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

template <class T>
T value(std::int64_t row, std::int64_t column) {
  return static_cast<T>(static_cast<float>(row * 100 + column));
}

/// The body that fills a view, with value(i, j) or its transpose's.
template <class T>
auto filling(bool transposed = false) {
  return [=](const Range& range, auto view) {
    for (std::int64_t i = range.first(); i < range.end(); ++i) {
      for (std::int64_t j = 0; j < view.extent(1); ++j) view(i, j) = transposed ? value<T>(j, i) : value<T>(i, j);
    }
  };
}

/// Whether a rank's rows are what that fills them with.
template <class T>
bool is_filled(Program& program, Domain domain, const Array<T, 2>& array, bool transposed = false) {
  bool all = true;
  program.each_of_mine(domain, reads(array), [&](const Range& range, auto view) {
    std::vector<T> expected(static_cast<std::size_t>(view.size()));
    filling<T>(transposed)(range, View<T, 2>(expected.data(), range.first(), view.extents()));
    all = all && std::equal(view.begin(), view.end(), expected.begin());
  });
  return all;
}

/// A by rows becomes its transpose by columns, and that the same again.
template <class T>
bool turns(Session& session, MatrixShape shape, const ProgramOptions& options,
           const std::vector<std::int64_t>& shares = {}) {
  Program program(session, "turns", options);
  const Domain rows = program.domain("rows", shape.rows, {.given = shares});
  const Domain columns = program.domain("columns", shape.columns);
  const auto a = program.array<T>("A", {shape.rows, shape.columns}, Distributed::over(rows));
  const auto b = program.array<T>("B", {shape.columns, shape.rows}, Distributed::over(columns));
  const auto c = program.array<T>("C", {shape.rows, shape.columns}, Distributed::over(rows));
  program.transpose(a, b);
  program.transpose(b, c);
  program.prepare();
  bool right = true;
  for (int run = 0; run < 2; ++run) {
    program.each_of_mine(rows, writes(a), filling<T>());
    program.run();
    right = right && is_filled(program, columns, b, true) && is_filled(program, rows, c);
  }
  return agreed(right);
}

}  // namespace

TEST_CASE("a matrix is transposed between rows and columns, and back") {
  Session session = make_session();
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {1, 3}) {
      const ProgramOptions how = options(session, kind, panels);
      CHECK(turns<double>(session, {12, 7}, how));
      CHECK(turns<std::complex<double>>(session, {2, 9}, how));
      CHECK(turns<float>(session, {0, 3}, how));
      CHECK(turns<std::complex<float>>(session, {30, 4}, how, uneven_shares(30, session.ranks())));
    }
  }
}

TEST_CASE("slices are moved where a rank holds the whole as well") {
  Session session = make_session();
  const Rank last = session.ranks() - 1;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {1, 2}) {
      Program program(session, "whole", options(session, kind, panels));
      const Domain rows = program.domain("rows", 11);
      const Domain columns = program.domain("columns", 6);
      const auto a = program.array<double>("A", {11, 6}, Distributed::over(rows).and_at(last));
      const auto b = program.array<double>("B", {6, 11}, Distributed::over(columns).and_at(last));
      const auto everywhere = program.array<double>("E", {6, 11}, Distributed::everywhere());
      program.scatterv(a);
      program.transpose(a, b);
      program.gatherv(b);
      program.move(b, everywhere);
      program.prepare();
      CHECK(agreed(program.local(a).size() == (session.rank() == last ? 66 : 0)));
      if (session.rank() == last) filling<double>()(Range(0, 11), View<double, 2>(program.local(a).data(), 0, {11, 6}));
      program.run();
      std::vector<double> expected(66);
      filling<double>(true)(Range(0, 6), View<double, 2>(expected.data(), 0, {6, 11}));
      CHECK(agreed(std::ranges::equal(program.local(everywhere), expected)));
      CHECK(agreed(session.rank() != last || std::ranges::equal(program.local(b), expected)));
    }
  }
}

TEST_CASE("what is at a root goes to all, to slices, and to another root") {
  Session session = make_session();
  const Rank last = session.ranks() - 1;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    Program program(session, "roots", options(session, kind));
    const Domain rows = program.domain("rows", 9);
    const auto a = program.array<double>("A", {9, 5}, Distributed::at(0));
    const auto all = program.array<double>("all", {9, 5}, Distributed::everywhere());
    const auto turned = program.array<double>("turned", {5, 9}, Distributed::everywhere());
    const auto slices = program.array<double>("slices", {9, 5}, Distributed::over(rows));
    const auto other = program.array<double>("other", {9, 5}, Distributed::at(last));
    program.move(a, all);
    program.transpose(a, turned);
    program.move(a, slices);
    program.move(slices, other);
    program.prepare();
    std::vector<double> expected(45);
    filling<double>()(Range(0, 9), View<double, 2>(expected.data(), 0, {9, 5}));
    std::ranges::copy_n(expected.begin(), std::ssize(program.local(a)), program.local(a).begin());
    program.run();
    CHECK(agreed(std::ranges::equal(program.local(all), expected)));
    CHECK(agreed(session.rank() != last || std::ranges::equal(program.local(other), expected)));
    filling<double>(true)(Range(0, 5), View<double, 2>(expected.data(), 0, {5, 9}));
    CHECK(agreed(std::ranges::equal(program.local(turned), expected)));
  }
}

TEST_CASE("an array in slices that all hold is scattered from a root and gathered at it") {
  Session session = make_session();
  const Rank root = session.ranks() / 2;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {1, 2}) {
      Program program(session, "both", options(session, kind, panels));
      const Domain rows = program.domain("rows", 10);
      const auto x = program.array<std::int32_t>("x", {10, 2}, Distributed::over(rows).and_everywhere().and_at(root));
      program.scatterv(x);
      program.compute("double", rows, any(), updates(x), [](const Range&, auto of_x) {
        for (std::int32_t& each : of_x) each *= 2;
      });
      program.gatherv(x);
      program.prepare();
      std::iota(program.local(x).begin(), program.local(x).end(), 0);
      program.run();
      const std::span<const std::int32_t> found = program.local(x);
      CHECK(agreed(found.size() == (session.rank() == root ? 20 : 0)));
      bool right = true;
      for (std::size_t i = 0; i < found.size(); ++i) right = right && found[i] == static_cast<std::int32_t>(2 * i);
      CHECK(agreed(right));
    }
  }
}
