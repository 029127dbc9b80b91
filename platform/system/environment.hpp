#pragma once

#include <cstdlib>
#include <string>

namespace tombolo {

/// The value of an environment variable; empty if there is none.
inline std::string environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace tombolo
