#pragma once

#include <optional>
#include <span>

#include <tombolo/platform.hpp>

namespace tombolo {

/// Returns a quantile of repeated measurements, 0.5 the median, with its error: half the width of the 95 % confidence
/// interval of the quantile, from order statistics, hence robust against outliers. With fewer than six measurements,
/// too few for that interval, the error is half the range of the measurements. {0, 0} for no measurements.
Measured quantile_of(std::span<const std::int64_t> measurements, double quantile);
Measured median_of(std::span<const std::int64_t> measurements);

/// Returns the median of the last `count` measurements if it is precise; none if `count` is 0, or with fewer
/// measurements.
std::optional<Measured> steady_median(std::span<const std::int64_t> measurements, std::size_t count, double precision);

/// Returns true if the error is at most `precision` times the value.
bool is_precise(Measured figure, double precision);

}  // namespace tombolo
