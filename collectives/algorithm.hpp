#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tombolo/collectives/request.hpp>
#include <tombolo/collectives/schedule_writer.hpp>

namespace tombolo {

/// What may be varied within an algorithm. An algorithm says which of these it heeds.
struct Parameters {
  Bytes segment_bytes = 0;  ///< messages are cut into segments of at most this size, at element boundaries; 0: whole
  int window = 0;           ///< messages under way at a time on each lane the algorithm opens; 0: no limit
  std::vector<Rank>
      order{};  ///< which rank takes which place, the root the first; empty: upwards from the root, cyclic

  bool operator==(const Parameters&) const = default;
};

/// One way to carry out one operation: a pure function that writes one rank's steps. Kept as a constant in a file of
/// its own and named in algorithms.def; everything else finds it there.
struct Algorithm {
  using Write = void (*)(const Request&, const Parameters&, Rank, ScheduleWriter&);

  std::string_view name;
  Operation operation;
  std::string_view summary;  ///< one line: what it does and when it is good
  Write write;
  /// Where an algorithm needs counts that MPI does not give the rank (Knowledge::as_in_mpi), writes the steps over
  /// Buffer::counts that bring them; null where it does not. For operations with one count per rank (Request::blocks).
  Write learn = nullptr;
  bool segments = false;  ///< whether it heeds Parameters::segment_bytes
  /// Another one with a window that costs messages of its own, and in the race only where what it avoids is known to
  /// happen (stored_thresholds.hpp).
  bool throttles = false;
};

#define TOMBOLO_ALGORITHM(constant) extern const Algorithm constant;
#include <tombolo/collectives/algorithms.def>
#undef TOMBOLO_ALGORITHM

/// All algorithms, or all of one operation, in the order of algorithms.def.
std::span<const Algorithm* const> all_algorithms();
std::vector<const Algorithm*> algorithms_for(Operation operation);

/// Throws Error that lists the names there are.
const Algorithm& find_algorithm(Operation operation, std::string_view wanted);

}  // namespace tombolo
