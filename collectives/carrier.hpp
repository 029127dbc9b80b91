#pragma once

#include <cstdint>

namespace tombolo {

/// Who carries out a call.
enum class Carrier : std::uint8_t {
  plan,
  native  ///< MPI's own collective
};

/// As files and reports have it.
constexpr const char* name(Carrier carrier) {
  return carrier == Carrier::native ? "native" : "plan";
}

}  // namespace tombolo
