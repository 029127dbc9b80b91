#include "matmul/rows.hpp"

namespace tombolo::matmul {

namespace {

constexpr std::int64_t worth_a_call = 32;  // rows: fewer are multiplied at a lower speed

}  // namespace

template <>
const char* gemm_kernel<float>() {
  return "sgemm";
}

template <>
const char* gemm_kernel<double>() {
  return "dgemm";
}

namespace {

template <class T>
Matrices<T> declare_distributed_rows(Program& program, const GemmShape& shape) {
  const auto [m, n, k] = shape;
  const Domain rows = program.domain("rows", m, {.grain = worth_a_call});
  const Domain rows_of_b = program.domain("rows of B", k);
  const auto a = program.array<T>("A", {m, k}, Distributed::over(rows));
  const auto b = program.array<T>("B", {k, n}, Distributed::over(rows_of_b));
  const auto all_b = program.array<T>("all of B", {k, n}, Distributed::everywhere());
  const auto c = program.array<T>("C", {m, n}, Distributed::over(rows));

  program.move(b, all_b);
  program.compute("compute", rows, {.kernel = gemm_kernel<T>(), .operations = flops({.m = 1, .n = n, .k = k})},
                  reads(a), whole(all_b), writes(c),
                  [n = n, k = k](const Range& range, auto of_a, auto of_b, auto of_c) {
                    gemm({.m = range.count(), .n = n, .k = k}, of_a.data(), of_b.data(), of_c.data());
                  });
  return {a, b, c, {1}};
}

}  // namespace

template <class T>
Matrices<T> declare_rows(Program& program, const GemmShape& shape, Held held, Rank root) {
  if (held == Held::distributed) return declare_distributed_rows<T>(program, shape);
  const auto [m, n, k] = shape;
  const Domain rows = program.domain("rows", m, {.grain = worth_a_call});
  const auto a = program.array<T>("A", {m, k}, Distributed::over(rows).and_at(root));
  const auto b = program.array<T>("B", {k, n}, Distributed::everywhere().and_at(root));
  const auto c = program.array<T>("C", {m, n}, Distributed::over(rows).and_at(root));

  program.scatterv(a);
  program.bcast(b);
  program.compute("compute", rows, {.kernel = gemm_kernel<T>(), .operations = flops({.m = 1, .n = n, .k = k})},
                  reads(a), whole(b), writes(c), [n = n, k = k](const Range& range, auto of_a, auto all_b, auto of_c) {
                    gemm({.m = range.count(), .n = n, .k = k}, of_a.data(), all_b.data(), of_c.data());
                  });
  program.gatherv(c);
  return {a, b, c, {2}};
}

template Matrices<float> declare_rows(Program&, const GemmShape&, Held, Rank);
template Matrices<double> declare_rows(Program&, const GemmShape&, Held, Rank);

}  // namespace tombolo::matmul
