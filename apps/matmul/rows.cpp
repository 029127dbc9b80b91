#include "matmul/rows.hpp"

#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/datatype.hpp>

namespace tombolo::matmul {

namespace {

template <class T>
MPI_Datatype element();
template <>
MPI_Datatype element<float>() {
  return MPI_FLOAT;
}
template <>
MPI_Datatype element<double>() {
  return MPI_DOUBLE;
}

}  // namespace

Slices::Slices(const Blocks& rows, std::int64_t columns, bool phantom) : blocks(rows), elements(columns) {
  if (!phantom) return;
  std::vector<std::int64_t> counts;
  for (int r = 0; r < rows.size(); ++r) counts.push_back(rows.count(r) * columns);
  blocks = Blocks(std::move(counts));
  elements = 1;
}

template <class T>
PhaseEnds multiply_rows(Session& session, Collectives& collectives, GemmShape shape, const Blocks& rows, Rank root,
                        Matrices<T>& matrices) {
  const Rank rank = collectives.rank();
  const bool is_root = rank == root;
  const Slices slices_of_a(rows, shape.k, session.phantom());
  const Slices slices_of_c(rows, shape.n, session.phantom());
  const auto row_of_a = Datatype::contiguous(shape.k, element<T>());
  const auto row_of_c = Datatype::contiguous(shape.n, element<T>());
  const MPI_Datatype part_of_a = slices_of_a.elements == 1 ? element<T>() : row_of_a;
  const MPI_Datatype part_of_c = slices_of_c.elements == 1 ? element<T>() : row_of_c;
  const std::int64_t first = is_root ? rows.offset(rank) : 0;
  T* const a = matrices.a.data();
  T* const b = matrices.b.data();
  T* const c = matrices.c.data();
  T* const my_a = a + first * shape.k;
  T* const my_c = c + first * shape.n;
  const GemmShape slice{.m = rows.count(rank), .n = shape.n, .k = shape.k};

  Stopwatch clock(session, phases);
  collectives.scatterv(a, slices_of_a.blocks, is_root ? MPI_IN_PLACE : my_a, part_of_a, root);
  clock.end_phase();
  collectives.bcast(b, shape.k * shape.n, element<T>(), root);
  clock.end_phase();
  session.compute(flops(slice), [&] { gemm(slice, my_a, b, my_c); });
  clock.end_phase();
  collectives.gatherv(is_root ? MPI_IN_PLACE : my_c, slices_of_c.blocks, c, part_of_c, root);
  clock.end_phase();
  return clock.ends();
}

template PhaseEnds multiply_rows(Session&, Collectives&, GemmShape, const Blocks&, Rank, Matrices<float>&);
template PhaseEnds multiply_rows(Session&, Collectives&, GemmShape, const Blocks&, Rank, Matrices<double>&);

}  // namespace tombolo::matmul
