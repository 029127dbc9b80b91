#pragma once

#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// Derives one homogeneous Hockney model from a platform: medians of the latency, including the processors' overheads
/// at both ends, and of the rate. The sample has the rank distances 1, 2, 4, ... and the neighbours, which are the
/// pairs that trees and chains use. Without a known rate the memory rate is used.
Hockney hockney_of(const Platform& platform);

}  // namespace tombolo
