#pragma once

#include <string>

#include <tombolo/lab/relay/descriptor.hpp>

namespace tombolo {

/// Attaches to the TAP of this name in the network namespace of this thread, or makes one that goes when the descriptor
/// is closed. Reading takes one frame of what the interface sends, writing hands one to it; neither waits. Frames are
/// complete: the kernel has cut large ones to the interface's MTU and has filled in their checksums.
/// Errors: no TUN on this machine, not allowed, the name is that of something else or of a TAP that is in use.
Descriptor open_tap(const std::string& name);

}  // namespace tombolo
