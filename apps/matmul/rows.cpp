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

template <class T>
Matrices<T> declare_rows(Program& program, const GemmShape& shape, Rank root) {
  const auto [m, n, k] = shape;
  const Slices rows = program.slices("rows", m, {.grain = worth_a_call});
  const auto a = program.array<T>("A", {m, k}, Held::by(rows).and_at(root));
  const auto b = program.array<T>("B", {k, n}, Held::everywhere().and_at(root));
  const auto c = program.array<T>("C", {m, n}, Held::by(rows).and_at(root));
  const ComputeOptions products{.over = rows,
                                .kernel = gemm_kernel<T>(),
                                .operations = flops({.m = 1, .n = n, .k = k}),
                                .reads = {a, b},
                                .writes = {c}};

  program.scatterv(a);
  program.bcast(b);
  program.compute("compute", products, [a, b, c, shape](const Slice& slice) {
    gemm({.m = slice.count, .n = shape.n, .k = shape.k}, a.at(slice), b.data(), c.at(slice));
  });
  program.gatherv(c);
  return {a, b, c};
}

template Matrices<float> declare_rows(Program&, const GemmShape&, Rank);
template Matrices<double> declare_rows(Program&, const GemmShape&, Rank);

}  // namespace tombolo::matmul
