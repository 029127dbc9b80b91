#pragma once

#include <tombolo/models/hockney.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// One homogeneous Hockney model for a whole platform: medians of latency, the processors' overheads at both ends
/// included, and of rate, over ranks 1, 2, 4, ... apart and over neighbours, which are the pairs that trees and chains
/// send between. Where nothing is known of a rate, that of memory.
Hockney hockney_of(const Platform& platform);

}  // namespace tombolo
