#pragma once

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/pair_classes.hpp>

namespace tombolo {

/// The message size for LMO's experiments, in bytes: the largest that is surely sent as smaller ones are, at most 32
/// KiB, so that the time for bytes stands out of the noise, or, where times do not vary, 8 KiB, which then say the same
/// in less time.
///
/// Found from round trips (empty answers) of 10 sizes up to 20 KiB, in noise of 17 up to 64 KiB, between three pairs of
/// ranks of up to three classes, and structural breaks in their times: the largest size before the first break beyond
/// which times are more than 10 % off the line before; the median over the pairs of a class, the least of the classes.
/// Beyond a break (an eager threshold, a buffer) one-to-two experiments would measure something else than LMO's
/// parameters (LMO paper, figure 3a). Collective.
Bytes regular_size(const PairClasses& classes, Laboratory& laboratory);

}  // namespace tombolo
