#pragma once

#include <cstdint>

namespace tombolo {

/// Who carries out a call.
enum class Carrier : std::uint8_t {
  plan,
  native  ///< MPI's own collective
};

}  // namespace tombolo
