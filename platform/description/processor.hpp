#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The position of a rank in its host: by kind, the object, numbered within the host, that contains all hardware
/// threads the rank may use; -1 if the rank may use several. Ranks of a host share the objects with equal numbers.
struct Place {
  int package = -1;
  int numa = -1;   ///< memory node
  int cache = -1;  ///< last-level cache
  int core = -1;
  bool operator==(const Place&) const = default;
};

/// The speed of the compute kernel, C = A B, for square matrices of this size.
struct SpeedPoint {
  std::int64_t size = 0;
  FlopsPerSecond speed = 0;
  bool operator==(const SpeedPoint&) const = default;
};

/// The processor of one rank.
struct Processor {
  std::string host;
  std::string model;      ///< "AMD EPYC 9454"
  int cores = 1;          ///< available to this rank, together with ranks_sharing - 1 others
  int ranks_sharing = 1;  ///< ranks of the host that may use the same cores, this one included
  int ranks_on_host = 1;
  int threads = 1;           ///< of BLAS on this rank
  FlopsPerSecond speed = 0;  ///< of the compute kernel, measured on all ranks at once; 0 if not measured
  Place place = {};
  Picoseconds send_overhead = 0;        ///< processor time to send a small message (LogP's o)
  Picoseconds receive_overhead = 0;     ///< processor time to receive a small message
  std::vector<SpeedPoint> speeds = {};  ///< by problem size, sizes ascending; a functional speed model
  bool operator==(const Processor&) const = default;
};

}  // namespace tombolo
