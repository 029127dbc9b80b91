#include "transpose/exchange.hpp"

#include <algorithm>
#include <complex>

#include <tombolo/framework/mpi/element_datatype.hpp>

namespace tombolo::transposition {

template <Element T>
std::int64_t Buffers<T>::elements(const TransposeParts& parts) {
  return std::max(parts.of_a(), parts.of_b());
}

template <Element T>
int Buffers<T>::count(const TransposeExchange& exchange) {
  return exchange.is_view() ? 1 : 2;
}

template <Element T>
Buffers<T>::Buffers(const Session& session, const TransposeExchange& exchange, const TransposeParts& parts)
    : first_(session.storage<T>(elements(parts))),
      second_(session.storage<T>(count(exchange) == 1 ? 0 : elements(parts))) {}

// Moving an element counts as one operation: in a simulation it would take no time otherwise.
template <Element T>
PhaseEnds Buffers<T>::transpose(Session& session, Collectives& collectives, const Layouts& layouts,
                                const TransposeParts& parts) {
  const bool all_stay = layouts.exchange.all_stay();
  T* const first = first_.data();
  T* const second = second_.data();
  T* const sent = parts.packs() ? second : first;
  T* const own = parts.packs() ? second + elements(parts) - parts.kept() : first;
  T* const received = all_stay ? sent : parts.packs() ? first : second;

  Stopwatch clock(session, phases);
  if (parts.packs()) {
    session.compute(static_cast<double>(parts.of_a()), [&] { parts.pack(first, second, own); });
  }
  clock.end_phase();
  const MPI_Datatype type = mpi_type(element_type_of<T>);
  if (!all_stay && layouts.exchange.all_know()) {
    collectives.alltoallv(sent, layouts.counts, received, type);
  } else if (!all_stay) {
    const Rank rank = collectives.rank();
    collectives.alltoallv(sent, layouts.counts.sends(rank), received, layouts.counts.receives(rank), type);
  }
  clock.end_phase();
  b_ = parts.kept() > 0 && parts.kept() == parts.of_b() ? own : received;
  if (parts.unpacks()) {
    b_ = parts.packs() ? second : first;
    session.compute(static_cast<double>(parts.of_b()), [&] { parts.unpack(received, own, b_); });
  }
  clock.end_phase();
  return clock.ends();
}

template class Buffers<float>;
template class Buffers<double>;
template class Buffers<std::complex<float>>;
template class Buffers<std::complex<double>>;

}  // namespace tombolo::transposition
