#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/transpose_parts.hpp>

#include "run/stopwatch.hpp"
#include "transpose/layouts.hpp"

namespace tombolo::transposition {

inline constexpr std::array phase_names{"pack", "alltoallv", "unpack"};
inline constexpr std::size_t phases = phase_names.size();
inline constexpr std::size_t pack_phase = 0;
inline constexpr std::size_t unpack_phase = 2;

/// One rank's two buffers, which take turns: A lies in the first, is packed into the second, arrives in the first, and
/// is unpacked into the second, which then holds B. So a rank needs room for two parts and not for four. A view needs
/// the first one only.
template <Element T>
class Buffers {
 public:
  Buffers() = default;
  Buffers(const Session& session, const TransposeExchange& exchange, const TransposeParts& parts);
  static std::int64_t elements(const TransposeParts& parts);  ///< of each
  static int count(const TransposeExchange& exchange);

  T* a() const { return first_.data(); }
  T* b() const { return b_; }  ///< once it is there

  /// B = A^T: every rank packs a block for each other rank and one that it keeps, sends, and puts together its part of
  /// B. What is in order already is neither packed nor sent nor unpacked. Collective.
  PhaseEnds transpose(Session& session, Collectives& collectives, const Layouts& layouts, const TransposeParts& parts);

 private:
  Storage<T> first_;
  Storage<T> second_;
  T* b_ = nullptr;
};

}  // namespace tombolo::transposition
