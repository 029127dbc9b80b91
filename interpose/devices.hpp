#pragma once

#include <span>

#include <tombolo/units.hpp>

namespace tombolo::interpose {

/// Returns true for memory of a CUDA device that the processor cannot reach; managed and pinned memory it can. Asks the
/// driver if the program has loaded it by now. Local.
bool is_on_device(const void* address);

/// A copy of bytes, at least one end of it on a device.
struct DeviceCopy {
  void* to = nullptr;
  const void* from = nullptr;
  Bytes bytes = 0;
};

/// Makes the copies, after what the program has put on the default stream, and waits for them, but for no other stream:
/// in the context of the memory `on`. Throws Error if the driver refuses.
void copy(const void* on, std::span<const DeviceCopy> copies);

}  // namespace tombolo::interpose
