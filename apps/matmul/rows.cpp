#include "matmul/rows.hpp"

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

template <class T>
PhaseEnds multiply_rows(Collectives& collectives, GemmShape shape, const Blocks& rows, Rank root,
                        Matrices<T>& matrices) {
  const Rank rank = collectives.rank();
  const bool is_root = rank == root;
  const auto row_of_a = Datatype::contiguous(shape.k, element<T>());
  const auto row_of_c = Datatype::contiguous(shape.n, element<T>());
  const std::int64_t first = is_root ? rows.offset(rank) : 0;
  T* const a = matrices.a.data();
  T* const b = matrices.b.data();
  T* const c = matrices.c.data();
  T* const my_a = a + first * shape.k;
  T* const my_c = c + first * shape.n;
  const GemmShape slice{.m = rows.count(rank), .n = shape.n, .k = shape.k};

  Stopwatch clock(collectives, phases);
  collectives.scatterv(a, rows, is_root ? MPI_IN_PLACE : my_a, row_of_a, root);
  clock.end_phase();
  collectives.bcast(b, shape.k * shape.n, element<T>(), root);
  clock.end_phase();
  gemm(slice, my_a, b, my_c);
  clock.end_phase();
  collectives.gatherv(is_root ? MPI_IN_PLACE : my_c, rows, c, row_of_c, root);
  clock.end_phase();
  return clock.ends();
}

template PhaseEnds multiply_rows(Collectives&, GemmShape, const Blocks&, Rank, Matrices<float>&);
template PhaseEnds multiply_rows(Collectives&, GemmShape, const Blocks&, Rank, Matrices<double>&);

}  // namespace tombolo::matmul
