#include "transpose/slices.hpp"

#include <algorithm>
#include <complex>
#include <utility>

#include <tombolo/framework/mpi/element_datatype.hpp>

namespace tombolo::transposition {

Slices::Slices(std::vector<std::int64_t> of_a, std::vector<std::int64_t> of_b)
    : rows_of_a(std::move(of_a)),
      rows_of_b(std::move(of_b)),
      exchange(Exchange::product(Blocks(rows_of_a), Blocks(rows_of_b))) {}

template <Element T>
std::int64_t Buffers<T>::elements(const Slices& slices, Rank rank) {
  return std::max(slices.packed(rank), slices.unpacked(rank));
}

template <Element T>
Buffers<T>::Buffers(const Session& session, const Slices& slices)
    : first(session.storage<T>(elements(slices, session.rank()))),
      second(session.storage<T>(elements(slices, session.rank()))) {}

// Moving an element counts as one operation: in a simulation it would take no time otherwise.
template <Element T>
PhaseEnds transpose_slices(Session& session, Collectives& collectives, const Slices& slices,
                           const Buffers<T>& buffers) {
  const Rank rank = collectives.rank();
  T* const first = buffers.first.data();
  T* const second = buffers.second.data();

  Stopwatch clock(session, phases);
  session.compute(static_cast<double>(slices.packed(rank)),
                  [&] { pack_transposed(slices.shares(), rank, first, second); });
  clock.end_phase();
  collectives.alltoallv(second, slices.exchange, first, mpi_type(element_type_of<T>));
  clock.end_phase();
  session.compute(static_cast<double>(slices.unpacked(rank)),
                  [&] { unpack_transposed(slices.shares(), rank, first, second); });
  clock.end_phase();
  return clock.ends();
}

#define TOMBOLO_FOR(T)        \
  template struct Buffers<T>; \
  template PhaseEnds transpose_slices(Session&, Collectives&, const Slices&, const Buffers<T>&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
TOMBOLO_FOR(std::complex<float>)
TOMBOLO_FOR(std::complex<double>)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
