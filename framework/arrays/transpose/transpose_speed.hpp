#pragma once

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/part.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Returns the shape of one call of transpose() that runs about as fast as the whole slice: at most 32 MB each way,
/// beyond the caches, less if the slice is smaller. Neither side is cut below 1000.
MatrixShape transpose_probe_shape(MatrixShape slice, Bytes element);

/// Measures the speed of transposing matrices of this shape by measure_call_rate(), in bytes per second, each element
/// counted once. Throws Error if the shape is empty. Takes about seconds_at_least, or four calls if that is longer.
template <Element T>
BytesPerSecond measure_transpose_speed(MatrixShape call, double seconds_at_least);

}  // namespace tombolo
