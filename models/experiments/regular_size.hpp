#pragma once

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>

namespace tombolo {

/// Returns the message size for LMO's experiments, in bytes: the largest size that is safely sent with the same
/// protocol as smaller ones, at most 32 KiB, so that the time per byte stands out from the noise. Without noise at most
/// 8 KiB, which gives the same result in less time.
///
/// Based on structural breaks in the times of round trips (empty answers) of 10 sizes up to 20 KiB, with noise of 17
/// sizes up to 64 KiB, between three pairs of ranks of each of up to three classes. The result is the largest size
/// before the first break with times more than 10 % off the line before it; the median over the pairs of a class, the
/// minimum over the classes. Beyond a break (an eager threshold, a buffer) one-to-two experiments would not measure
/// LMO's parameters (LMO paper, figure 3a). Collective.
Bytes regular_size(const PairClasses& classes, Laboratory& laboratory);

}  // namespace tombolo
