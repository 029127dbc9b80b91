#include <fmt/format.h>

#include <tombolo/platform/description/level_names.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

std::string described(const Level& level) {
  return fmt::format("{} {}", name_of(level.kind), tombolo::quoted(level.name));
}

}  // namespace tombolo
