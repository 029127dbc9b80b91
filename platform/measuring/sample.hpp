#pragma once

#include <span>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Returns a quantile of repeated measurements, 0.5 the median, with its error: half the width of the 95 % confidence
/// interval of the quantile, from order statistics, hence robust against outliers. With fewer than six measurements,
/// too few for that interval, the error is half the range of the measurements. {0, 0} for no measurements.
Measured quantile_of(std::span<const std::int64_t> measurements, double quantile);
Measured median_of(std::span<const std::int64_t> measurements);

/// Returns true if the error is at most `precision` times the value.
bool is_precise(Measured figure, double precision);

}  // namespace tombolo
