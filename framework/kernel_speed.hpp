#pragma once

#include <tombolo/framework/blas.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The shape of one call that runs about as fast as the whole product does: at most 1024 x 2048 x 768, less where the
/// product is smaller. In double that is 34 MB of memory, beyond what caches hold as the product is, and 3.2 Gflop, 60
/// ms on a core of 50 Gflop/s. A short or narrow product leaves room: it keeps more of its other two dimensions, within
/// the same memory and work, as its speed is that of memory. 768 holds whole blocks of OpenBLAS' depths of 256 and 384.
///
/// Its speed against that of the products it stands for, squares and slices of 2048 and 4096 (EPYC 9004, OpenBLAS
/// 0.3.21): on one thread -2 to +2 % in double, -3 to +2 % in float; on two threads -1 to -5 % in double, as larger
/// calls share better. Products of a few ms run up to 10 % slower than their probe, some rows of 512 by a third: these
/// run once, on memory that is not in the caches yet.
GemmShape gemm_probe_shape(GemmShape product);

/// The speed of gemm<T> in calls of this shape, in flop/s (2 m n k a call), with the threads that are set, measured as
/// measure_call_rate() does (call_rate.hpp). Throws Error if the shape is empty. Takes about seconds_at_least, or four
/// calls if that is longer.
template <class T>
FlopsPerSecond measure_gemm_speed(GemmShape call, double seconds_at_least);

}  // namespace tombolo
