#pragma once

#include <string>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What one rank runs on.
struct Processor {
  std::string host;
  std::string model;      ///< "AMD EPYC 9454"
  int cores = 1;          ///< that this rank may use, together with ranks_sharing - 1 others
  int ranks_sharing = 1;  ///< ranks of the host that may use the same cores, this one included
  int ranks_on_host = 1;
  int threads = 1;           ///< that BLAS uses on this rank
  FlopsPerSecond speed = 0;  ///< of the compute kernel, measured on all ranks at once; 0 where not measured
};

}  // namespace tombolo
