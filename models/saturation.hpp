#pragma once

#include <span>
#include <vector>

#include <tombolo/models/laboratory.hpp>

namespace tombolo {

/// A link to be filled with messages of one size.
struct Saturation {
  Rank from = 0;
  Rank to = 0;
  Bytes bytes = 0;
};

/// The gap of each: how much longer it takes to send one more of many messages (LMO paper, section 2, LogP). The number
/// of messages n doubles from 8 on until the gap changes by less than 2 % and gaps make up three quarters of the time,
/// up to 4096 messages or 16 MiB. The gap is the slope of the times T_n over the last three numbers rather than T_n /
/// n, as the papers have it: that contains an n-th of the round trip at the end and so is off by about as much as it
/// still changes. Collective.
std::vector<Picoseconds> measure_gaps(Laboratory& laboratory, std::span<const Saturation> saturations);

}  // namespace tombolo
