#pragma once

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/pair_classes.hpp>

namespace tombolo {

/// The largest message size, in bytes, that is surely sent as smaller ones are: round trips (empty answers) of 17 sizes
/// up to 64 KiB between three pairs of ranks of up to three classes, and structural breaks in their times; the largest
/// size before the first break beyond which times are more than 10 % off the line before; the median over the pairs of
/// a class, the least of the classes, at most 32 KiB. Beyond a break (an eager threshold, a buffer) one-to-two
/// experiments would measure something else than LMO's parameters (LMO paper, figure 3a). Collective.
Bytes regular_size(const PairClasses& classes, Laboratory& laboratory);

}  // namespace tombolo
