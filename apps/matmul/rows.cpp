#include "matmul/rows.hpp"

#include <mpi.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/framework/mpi/element_datatype.hpp>

namespace tombolo::matmul {

Slices::Slices(const Blocks& rows, std::int64_t columns, bool phantom)
    : blocks(phantom ? rows.times(columns) : rows), elements(phantom ? 1 : columns) {}

template <class T>
PhaseEnds multiply_rows(Session& session, Collectives& collectives, GemmShape shape, const Blocks& rows, Rank root,
                        Matrices<T>& matrices) {
  const Rank rank = collectives.rank();
  const bool is_root = rank == root;
  const Slices slices_of_a(rows, shape.k, session.phantom());
  const Slices slices_of_c(rows, shape.n, session.phantom());
  const MPI_Datatype element = mpi_type(element_type_of<T>);
  const auto row_of_a = Datatype::contiguous(shape.k, element);
  const auto row_of_c = Datatype::contiguous(shape.n, element);
  const MPI_Datatype part_of_a = slices_of_a.elements == 1 ? element : row_of_a;
  const MPI_Datatype part_of_c = slices_of_c.elements == 1 ? element : row_of_c;
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
  collectives.bcast(b, shape.k * shape.n, element, root);
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
