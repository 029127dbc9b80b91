// Arrays that go from one way of being held to another.
#include <complex>

#include "framework/mpi/program/running.hpp"

using namespace tombolo;
using namespace tombolo::test;

namespace {

template <class T>
T value(std::int64_t row, std::int64_t column) {
  return static_cast<T>(static_cast<float>(row * 100 + column));
}

/// What this rank holds, filled or compared: all of it where that is whole, else its rows.
template <class T>
bool each_element(Program& program, Slices slices, const Array<T>& array,
                  const std::function<bool(T&, std::int64_t, std::int64_t)>& work) {
  bool all = true;
  each_of_mine(program, slices, [&](const Slice& slice) {
    for (std::int64_t i = 0; i < slice.count; ++i) {
      for (std::int64_t j = 0; j < array.columns(); ++j) {
        all = all && work(array.at(slice)[i * array.columns() + j], slice.first + i, j);
      }
    }
  });
  return all;
}

/// A by rows becomes its transpose by columns, and that the same again.
template <class T>
bool turns(Session& session, MatrixShape shape, const ProgramOptions& options,
           const std::vector<std::int64_t>& shares = {}) {
  Program program(session, "turns", options);
  const Slices rows = program.slices("rows", shape.rows, {.given = shares});
  const Slices columns = program.slices("columns", shape.columns);
  const auto a = program.array<T>("A", shape, Held::by(rows));
  const auto b = program.array<T>("B", {shape.columns, shape.rows}, Held::by(columns));
  const auto c = program.array<T>("C", shape, Held::by(rows));
  program.transpose(a, b);
  program.transpose(b, c);
  program.prepare();
  bool right = true;
  for (int run = 0; run < 2; ++run) {
    each_element<T>(program, rows, a, [](T& x, std::int64_t i, std::int64_t j) {
      x = value<T>(i, j);
      return true;
    });
    program.run();
    right = right && each_element<T>(program, columns, b,
                                     [](T& x, std::int64_t i, std::int64_t j) { return x == value<T>(j, i); });
    right = right &&
            each_element<T>(program, rows, c, [](T& x, std::int64_t i, std::int64_t j) { return x == value<T>(i, j); });
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
      const Slices rows = program.slices("rows", 11);
      const Slices columns = program.slices("columns", 6);
      const auto a = program.array<double>("A", {11, 6}, Held::by(rows).and_at(last));
      const auto b = program.array<double>("B", {6, 11}, Held::by(columns).and_at(last));
      const auto everywhere = program.array<double>("E", {6, 11}, Held::everywhere());
      program.scatterv(a);
      program.transpose(a, b);
      program.gatherv(b);
      program.move(b, everywhere);
      program.prepare();
      if (session.rank() == last) {
        for (std::int64_t i = 0; i < 66; ++i) a.data()[i] = value<double>(i / 6, i % 6);
      }
      program.run();
      bool right = true;
      for (std::int64_t i = 0; i < 66; ++i) {
        const auto expected = value<double>(i % 11, i / 11);
        right = right && everywhere[i] == expected && (session.rank() != last || b.data()[i] == expected);
      }
      CHECK(agreed(right));
    }
  }
}

TEST_CASE("what is at a root goes to all, to slices, and to another root") {
  Session session = make_session();
  const Rank last = session.ranks() - 1;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    Program program(session, "roots", options(session, kind));
    const Slices rows = program.slices("rows", 9);
    const auto a = program.array<double>("A", {9, 5}, Held::at(0));
    const auto all = program.array<double>("all", {9, 5}, Held::everywhere());
    const auto turned = program.array<double>("turned", {5, 9}, Held::everywhere());
    const auto slices = program.array<double>("slices", {9, 5}, Held::by(rows));
    const auto other = program.array<double>("other", {9, 5}, Held::at(last));
    program.move(a, all);
    program.transpose(a, turned);
    program.move(a, slices);
    program.move(slices, other);
    program.prepare();
    if (session.rank() == 0) {
      for (std::int64_t i = 0; i < 45; ++i) a.data()[i] = value<double>(i / 5, i % 5);
    }
    program.run();
    bool right = true;
    for (std::int64_t i = 0; i < 45; ++i) {
      const auto expected = value<double>(i / 5, i % 5);
      right = right && all[i] == expected && turned[i % 5 * 9 + i / 5] == expected;
      right = right && (session.rank() != last || other.data()[i] == expected);
    }
    CHECK(agreed(right));
  }
}

TEST_CASE("an array in slices that all hold is scattered from a root and gathered at it") {
  Session session = make_session();
  const Rank root = session.ranks() / 2;
  for (const Kind kind : {Kind::native, Kind::tombolo}) {
    for (const int panels : {1, 2}) {
      Program program(session, "both", options(session, kind, panels));
      const Slices rows = program.slices("rows", 10);
      const auto x = program.array<std::int32_t>("x", {10, 2}, Held::by(rows).and_everywhere().and_at(root));
      program.scatterv(x);
      program.compute("double", {.over = rows, .kernel = "any", .operations = 1, .reads = {x}, .writes = {x}},
                      [=](const Slice& slice) {
                        for (std::int64_t i = 0; i < slice.count * 2; ++i) x.at(slice)[i] *= 2;
                      });
      program.gatherv(x);
      program.prepare();
      for (std::int64_t i = 0; i < 20; ++i) x[i] = session.rank() == root ? static_cast<std::int32_t>(i) : -1;
      program.run();
      bool right = true;
      for (std::int64_t i = 0; i < 20; ++i) right = right && (session.rank() != root || x[i] == 2 * i);
      CHECK(agreed(right));
    }
  }
}
