#pragma once

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Returns the shape of one call that runs about as fast as the whole product: at most 1024 x 2048 x 768, less if the
/// product is smaller. In double such a call takes 34 MB of memory, beyond the caches as the product is, and 3.2 Gflop,
/// 60 ms on a core of 50 Gflop/s. For a short or narrow product, whose speed is that of memory, the other two
/// dimensions grow within the same memory and work. 768 is a multiple of OpenBLAS' block depths 256 and 384.
///
/// Speed relative to the products that the call represents, squares and slices of 2048 and 4096 (EPYC 9004, OpenBLAS
/// 0.3.21): on one thread -2 to +2 % in double, -3 to +2 % in float; on two threads -1 to -5 % in double, because
/// larger calls divide better. Products of a few ms run up to 10 % slower than their probe, a few rows of 512 by a
/// third: such products run once, on memory that is not in the caches yet.
GemmShape gemm_probe_shape(GemmShape product);

/// Measures gemm<T> in calls of this shape with the current number of threads, by measure_call_rate() (call_rate.hpp).
/// Returns flop/s (2 m n k a call, 8 m n k where T is complex). Throws Error if the shape is empty. Takes about
/// seconds_at_least, or four calls if that is longer.
template <Element T>
FlopsPerSecond measure_gemm_speed(GemmShape call, double seconds_at_least);

/// Returns the shape of one call of transpose() that runs about as fast as the whole slice: at most 32 MB each way,
/// beyond the caches, less if the slice is smaller. Neither side is cut below 1000.
MatrixShape transpose_probe_shape(MatrixShape slice, Bytes element);

/// Measures the speed of transposing matrices of this shape by measure_call_rate(), in bytes per second, each element
/// counted once. Throws Error if the shape is empty. Takes about seconds_at_least, or four calls if that is longer.
template <Element T>
BytesPerSecond measure_transpose_speed(MatrixShape call, double seconds_at_least);

}  // namespace tombolo
