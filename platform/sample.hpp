#pragma once

#include <span>

#include <tombolo/platform/measured.hpp>

namespace tombolo {

/// A quantile of some measurements of one figure, 0.5 the median, and how sure it is: half the width of the interval
/// that holds the true quantile in 95 of 100 cases, by order statistics, which outliers do not move; below six
/// measurements, which are too few for that, half of all that they spread over. {0, 0} of none.
Measured quantile_of(std::span<const std::int64_t> measurements, double quantile);
Measured median_of(std::span<const std::int64_t> measurements);

/// Whether the interval is at most so wide, as a part of the figure, to either side.
bool is_precise(Measured figure, double precision);

}  // namespace tombolo
