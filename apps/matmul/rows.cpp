#include "matmul/rows.hpp"

#include <tombolo/framework/matrix/gemm_lines.hpp>

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
void declare_computing(Program& program, Domain rows, const GemmShape& shape, const Array<T, 2>& a,
                       const Array<T, 2>& all_b, const Array<T, 2>& c) {
  const auto [m, n, k] = shape;
  program.compute("compute", rows, cost_of_product<T>(n, n, k), reads(a), whole(all_b), writes(c),
                  [n = n, k = k](const Range& range, auto of_a, auto of_b, auto of_c) {
                    const Range columns = range.part_of(n, worth_a_part);
                    gemm_lines<T>({.m = range.count(), .n = columns.count(), .k = k}, 1, {of_a.data(), k},
                                  {of_b.data() + columns.first(), n}, 0, {of_c.data() + columns.first(), n});
                  });
}

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
  declare_computing<T>(program, rows, shape, a, all_b, c);
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
  declare_computing<T>(program, rows, shape, a, b, c);
  program.gatherv(c);
  return {a, b, c, {2}};
}

template Matrices<float> declare_rows(Program&, const GemmShape&, Held, Rank);
template Matrices<double> declare_rows(Program&, const GemmShape&, Held, Rank);

}  // namespace tombolo::matmul
