#pragma once

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The shape of one call of transpose() that runs about as fast as that of a whole slice does: at most 32 MB each way,
/// beyond what caches hold, less where the slice is smaller. Neither side is cut below 1000.
MatrixShape transpose_probe_shape(MatrixShape slice, Bytes element);

/// The speed of transposing matrices of this shape, in bytes per second, each element counted once; measured as
/// measure_call_rate() does. Throws Error if the shape is empty. Takes about seconds_at_least, or four calls if that is
/// longer.
template <Element T>
BytesPerSecond measure_transpose_speed(MatrixShape call, double seconds_at_least);

}  // namespace tombolo
