#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include <tombolo/collectives/contract.hpp>

namespace tombolo {

/// A stretch of elements with consecutive symbols.
struct SymbolRun {
  std::int64_t count = 0;
  Symbol first;
};

/// One rank's buffers while a plan is proved: symbols in place of numbers, kept by stretches, so that a proof costs the
/// same for ten elements and for 2^40.
class SymbolicMemory {
 public:
  void write(const Piece& piece, const Symbol& first);
  /// Writes runs one after the other into the pieces.
  void write(std::span<const Piece> pieces, const std::vector<SymbolRun>& runs);
  /// The piece's content; a run of no ranks where nothing was ever written.
  std::vector<SymbolRun> read(std::span<const Piece> pieces) const;

 private:
  struct Stretch {
    std::int64_t end = 0;
    Symbol first;
  };
  using Stretches = std::map<std::int64_t, Stretch>;
  static void cut(Stretches& stretches, std::int64_t at);
  std::array<Stretches, buffer_kinds> buffers_;
};

/// left (op) right, element by element, both of the same length. Where it is no sum that a correct reduction can hold
/// (an index combined with another, a rank counted twice, operands out of order though order matters), says why.
struct Combined {
  std::vector<SymbolRun> runs;
  const char* fault = nullptr;
};
Combined combine(const std::vector<SymbolRun>& left, const std::vector<SymbolRun>& right, bool commutative);

/// The first position at which two contents of the same length differ, or -1.
std::int64_t first_difference(const std::vector<SymbolRun>& a, const std::vector<SymbolRun>& b);

/// The symbol `by` elements further on.
Symbol advanced(const Symbol& symbol, std::int64_t by);

}  // namespace tombolo
