#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/program/plan/arrange.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/units.hpp>

/// Programs for tests, declared by hand.
namespace tombolo::test {

inline DeclaredArray sliced(std::string name, MatrixShape shape, int slices = 0) {
  return {.name = std::move(name), .shape = shape, .element = 8, .slices = slices};
}

inline DeclaredArray at_root(DeclaredArray array, Rank root = 0) {
  array.root = root;
  return array;
}

inline DeclaredArray everywhere(DeclaredArray array) {
  array.everywhere = true;
  return array;
}

inline DeclaredArray with_halo(DeclaredArray array, std::int64_t halo) {
  array.halo = halo;
  return array;
}

inline DeclaredArray whole(std::string name, MatrixShape shape) {
  return {.name = std::move(name), .shape = shape, .element = 8};
}

inline DeclaredTask about(TaskKind kind, int array) {
  return {.name = std::string(name(kind)), .kind = kind, .array = array};
}

inline DeclaredTask compute(std::vector<int> reads, std::vector<int> writes, double operations = 1, int slices = 0) {
  return {.name = "compute",
          .kind = TaskKind::compute,
          .slices = slices,
          .operations = operations,
          .kernel = "gemm",
          .reads = std::move(reads),
          .writes = std::move(writes)};
}

inline DeclaredTask update(std::vector<int> updates, int slices = 0) {
  DeclaredTask task = compute({}, {}, 1, slices);
  task.updates = std::move(updates);
  return task;
}

inline DeclaredTask with_whole(DeclaredTask task, int array) {
  task.wholes.push_back(array);
  return task;
}

inline DeclaredArray partial(std::string name, MatrixShape shape) {
  DeclaredArray array = everywhere(whole(std::move(name), shape));
  array.reduction = "sum";
  return array;
}

/// C = A B: A and C in slices of rows and at the root, B everywhere.
inline Declaration product(std::int64_t m, std::int64_t n, std::int64_t k, Rank root = 0) {
  return {.name = "product",
          .slices = {{.name = "rows", .items = m}},
          .arrays = {at_root(sliced("A", {m, k}), root), everywhere(at_root(whole("B", {k, n}), root)),
                     at_root(sliced("C", {m, n}), root)},
          .tasks = {about(TaskKind::scatterv, 0), about(TaskKind::bcast, 1),
                    with_whole(compute({0}, {2}, 2.0 * static_cast<double>(n * k)), 1), about(TaskKind::gatherv, 2)}};
}

/// A stencil over a plate, u and v in turns, and how much changed, in a loop of so many passes.
inline Declaration plate(std::int64_t rows, std::int64_t columns, std::int64_t halo, std::int64_t most) {
  Declaration program{.name = "plate",
                      .slices = {{.name = "rows", .items = rows}},
                      .arrays = {with_halo(sliced("u", {rows, columns}), halo),
                                 with_halo(sliced("v", {rows, columns}), halo), partial("change", {1, 1})},
                      .tasks = {about(TaskKind::halo, 0),
                                compute({}, {1}, 5.0 * static_cast<double>(columns)),
                                about(TaskKind::allreduce, 2),
                                {.name = "swap", .kind = TaskKind::swap, .array = 0, .to = 1}},
                      .loops = {{.name = "steps", .first = 0, .end = 4, .most = most}}};
  program.tasks[1].around = {0};
  program.tasks[1].combines = {2};
  for (DeclaredTask& task : program.tasks) task.loop = 0;
  return program;
}

/// A part of a move that spends its first array.
inline DeclaredTask moving(TaskKind kind, int from, int to) {
  return {.name = std::string(name(kind)), .kind = kind, .array = from, .to = to, .transposed = true, .spends = true};
}

inline void add_spending_move(Declaration& program, int from, int to) {
  for (const TaskKind kind : {TaskKind::pack, TaskKind::move, TaskKind::unpack}) {
    program.tasks.push_back(moving(kind, from, to));
  }
}

/// A by rows becomes B by columns.
inline Declaration turned() {
  Declaration program{.name = "turned",
                      .slices = {{.name = "rows", .items = 6}, {.name = "columns", .items = 4}},
                      .arrays = {sliced("A", {6, 4}), sliced("B", {4, 6}, 1)}};
  add_spending_move(program, 0, 1);
  return program;
}

/// Shares of so many items in each panel, some of them 0.
inline Division random_division(std::int64_t items, int panels, int ranks, std::mt19937& random) {
  std::vector<std::int64_t> speeds;
  for (int r = 0; r < ranks; ++r) speeds.push_back(static_cast<std::int64_t>(random() % 4));
  speeds[random() % speeds.size()] = 3;
  return divide({.name = "rows", .items = items}, speeds, panels);
}

inline Arrangement arrangement(std::vector<Division> divisions, bool overlaps = false) {
  const int ranks = divisions.front().ranks();
  return {all_in_order(ranks), std::move(divisions), overlaps, {}};
}

/// Latency in microseconds, rate in MB/s.
inline Planner links(std::int64_t latency, std::int64_t rate) {
  return Planner(Hockney({.latency = latency * 1'000'000, .rate = rate * 1'000'000}));
}

using Speeds = SpeedsByKernel;

inline std::vector<SpeedFunction> constants(const std::vector<std::int64_t>& speeds) {
  std::vector<SpeedFunction> functions;
  for (const std::int64_t speed : speeds) functions.push_back(SpeedFunction::constant(speed));
  return functions;
}

inline Speeds gemm_speeds(const std::vector<std::int64_t>& speeds) {
  return {{"gemm", constants(speeds)}};
}

/// Shares in proportion to them.
inline Division divided(const DeclaredDomain& slices, const Speeds& speeds, int panels = 1) {
  return divide(slices, speeds.at("gemm"), 1, panels, {});
}

/// What check() refuses it for.
inline std::string error_of(const Declaration& program) {
  try {
    check(program);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace tombolo::test
