#pragma once

#include <string>
#include <vector>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "transpose/options.hpp"
#include "transpose/problem.hpp"

namespace tombolo::transposition {

/// Who has what of A and of B. The same on all ranks.
struct Layouts {
  Layout a;
  Layout b;
  Redistribution moves;     ///< from the one to the other
  std::string shared;       ///< how the shares were found: "by memory and links, over all ranks"
  int relabelled = 0;       ///< parts of B that went to another rank than they would have without
  std::int64_t stayed = 0;  ///< elements whose rank stays the same
};

/// As the options want them. `speeds` are those of transposing, in bytes/s, one per rank. Throws AgreedError, where a
/// grid has not as many places as there are ranks. Collective.
Layouts find_layouts(Session& session, const Options& options, const Problem& problem,
                     const std::vector<BytesPerSecond>& speeds);

}  // namespace tombolo::transposition
