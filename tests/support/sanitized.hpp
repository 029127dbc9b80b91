#pragma once

extern "C" void __asan_init() __attribute__((weak));  // NOLINT(readability-identifier-naming): its name

namespace tombolo::test {

/// Whether what is tested is instrumented: it takes ten times as long then, and looks for other faults. Found out when
/// tests run, so that the same compiled tests serve libraries with and without.
inline bool sanitized() {
  return &__asan_init != nullptr;
}

}  // namespace tombolo::test
