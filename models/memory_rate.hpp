#pragma once

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Of copies in memory: the median over the platform's hosts, 10 GB/s where none was measured; on a
/// simulated platform a rate that makes local work take next to nothing, as there.
BytesPerSecond memory_rate_of(const Platform& platform);

}  // namespace tombolo
