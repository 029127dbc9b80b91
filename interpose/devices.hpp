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

/// Makes the copies and waits for them, but for no other work of the device: on a stream of its own, in the context of
/// the device that holds `on`. Throws Error if the driver refuses.
void copy(const void* on, std::span<const DeviceCopy> copies);

}  // namespace tombolo::interpose
