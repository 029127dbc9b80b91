#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/mpi/arrays/prepared_product.hpp>

namespace tombolo {
namespace {

MoveMemory memory_of(const void* from, void* to, std::byte* packed, std::byte* arrived) {
  // The source is kept, so it is only read.
  return {static_cast<std::byte*>(const_cast<void*>(from)), static_cast<std::byte*>(to), packed, arrived};
}

/// Returns the matrix that a move brings: in `copies`, or where it is held.
template <Element T>
Lines<const T> bring(Collectives& collectives, const PreparedMove& move, std::int64_t stride,
                     const MoveMemory& memory) {
  if (const auto there = move.part_of_source()) {
    return {reinterpret_cast<const T*>(memory.from) + there->offset, there->stride};
  }
  move.run(collectives, mpi_type_of<T>(), memory);
  return {reinterpret_cast<const T*>(memory.to), stride};
}

}  // namespace

HeldLines::HeldLines(const Distribution& matrix, Rank rank, std::int64_t stride_of_array) {
  const std::int64_t elements = matrix.elements(rank);
  std::map<std::int64_t, std::int64_t> sizes;  // of blocks by their first lines
  std::size_t blocks = 0;
  for (const Part& part : matrix.parts(rank)) {
    if (part.elements() == 0) continue;
    sizes[matrix.by_columns() ? part.first_column : part.first_row] = matrix.by_columns() ? part.columns : part.rows;
    ++blocks;
  }
  is_matrix = !matrix.by_columns() && (stride_of_array > 0 || blocks <= 1);
  if (blocks == 0) return;
  lines = 1;
  if (is_matrix) {
    lines = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0},
                            [](std::int64_t sum, const auto& size) { return sum + size.second; });
  }
  width = elements / lines;
  stride = stride_of_array > 0 ? stride_of_array : width;
}

template <Element T>
PreparedProduct<T>::PreparedProduct(const ProductMatrices& matrices, const ProductDivision& division, Rank rank,
                                    const ProductStrides& strides)
    : held_(matrices.c, rank, strides.c) {
  const ProductLines& mine = division.lines[static_cast<std::size_t>(rank)];
  height_ = mine.height();
  width_ = mine.width();
  const GemmShape shape = matrices.shape(matrices.c.ranks());
  constexpr Bytes element = sizeof(T);
  for (const auto& panel : division.panels) {
    const std::int64_t depth = total_count(panel);
    const Redistribution of_a(matrices.a, needed_of_a(shape, division.lines, panel), matrices.a_transposed);
    const Redistribution of_b(matrices.b, needed_of_b(shape, division.lines, panel), matrices.b_transposed);
    panels_.push_back({PreparedMove(of_a, rank, element, {.from = strides.a, .to = depth}),
                       PreparedMove(of_b, rank, element, {.from = strides.b, .to = width_}), depth});
  }
  if (division.where_held && held_.is_matrix) return;
  back_.emplace(Redistribution(computed_of_c(shape, division.lines), matrices.c), rank, element,
                LineStrides{.from = width_, .to = strides.c});
}

template <Element T>
typename PreparedProduct<T>::Memory PreparedProduct<T>::memory(ScratchPool& scratch, T beta) const {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t packed = back_ ? back_->packed_bytes() : 0;
  std::size_t arrived = back_ ? back_->arrived_bytes() : 0;
  const auto bytes = [](std::int64_t elements) { return static_cast<std::size_t>(elements) * sizeof(T); };
  for (const Panel& panel : panels_) {
    if (!panel.a.part_of_source()) a = std::max(a, bytes(height_ * panel.depth));
    if (!panel.b.part_of_source()) b = std::max(b, bytes(panel.depth * width_));
    packed = std::max({packed, panel.a.packed_bytes(), panel.b.packed_bytes()});
    arrived = std::max({arrived, panel.a.arrived_bytes(), panel.b.arrived_bytes()});
  }
  return {.a = scratch.take(a),
          .b = scratch.take(b),
          .packed = scratch.take(packed),
          .arrived = scratch.take(arrived),
          .computed = scratch.take(back_ ? bytes(height_ * width_) : 0),
          .result = scratch.take(back_ && beta != T{0} ? bytes(held_.lines * held_.stride) : 0)};
}

template <Element T>
void PreparedProduct<T>::run(Collectives& collectives, const Memory& memory, const Compute& compute, T alpha,
                             const HeldFactor<T>& a, const HeldFactor<T>& b, T beta, T* c) const {
  const auto brought = [&](const PreparedMove& move, std::int64_t stride, const HeldFactor<T>& held,
                           const ScratchPool::Lease& copies) {
    Lines<const T> lines =
        bring<T>(collectives, move, stride,
                 memory_of(held.elements, copies.data(), memory.packed.data(), memory.arrived.data()));
    lines.conjugated = held.conjugated;
    return lines;
  };
  const Lines<T> target =
      back_ ? Lines<T>{reinterpret_cast<T*>(memory.computed.data()), width_} : Lines<T>{c, held_.stride};
  T kept = back_ ? T{0} : beta;
  for (const Panel& panel : panels_) {
    const Lines<const T> rows = brought(panel.a, panel.depth, a, memory.a);
    const Lines<const T> columns = brought(panel.b, width_, b, memory.b);
    const GemmShape piece{.m = height_, .n = width_, .k = panel.depth};
    compute(real_operations<T> * flops(piece), [&] { gemm_lines(piece, alpha, rows, columns, kept, target); });
    kept = T{1};
  }
  if (back_) put_back(collectives, memory, compute, beta, c);
}

template <Element T>
void PreparedProduct<T>::put_back(Collectives& collectives, const Memory& memory, const Compute& compute, T beta,
                                  T* c) const {
  T* const result = beta == T{0} ? c : reinterpret_cast<T*>(memory.result.data());
  back_->run(collectives, mpi_type_of<T>(),
             memory_of(memory.computed.data(), result, memory.packed.data(), memory.arrived.data()));
  if (beta == T{0}) return;
  compute(static_cast<double>(held_.lines * held_.width), [&] {
    for (std::int64_t line = 0; line < held_.lines; ++line) {
      const T* const from = result + line * held_.stride;
      T* const to = c + line * held_.stride;
      std::transform(from, from + held_.width, to, to, [&](T product, T old) { return product + beta * old; });
    }
  });
}

#define TOMBOLO_FOR(T) template class PreparedProduct<T>;
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
