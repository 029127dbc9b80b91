#pragma once

#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Returns the number of cores that some ranks of one host can keep busy together, at least 1: each has its part of the
/// cores that it shares. Eight ranks that may all use the same two cores have 2, and 4 if each pair of them is bound to
/// a core of its own.
int cores_of(const std::vector<Processor>& processors, const std::vector<Rank>& ranks);

}  // namespace tombolo
