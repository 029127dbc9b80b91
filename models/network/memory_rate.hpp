#pragma once

#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// The rate of copies in memory: the median over the platform's hosts, or 10 GB/s if none was measured. On a simulated
/// platform without a measured rate, a rate so high that local work takes almost no time, as in the simulator.
BytesPerSecond memory_rate_of(const Platform& platform);

}  // namespace tombolo
