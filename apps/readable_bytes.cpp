#include "readable_bytes.hpp"

#include <fmt/format.h>

namespace tombolo {

std::string readable_bytes(Bytes bytes) {
  constexpr const char* units[] = {"", "K", "M", "G", "T", "P"};
  std::size_t unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, units[unit]);
}

}  // namespace tombolo
