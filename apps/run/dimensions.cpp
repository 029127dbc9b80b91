#include "run/dimensions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>

namespace tombolo {

void complete_dimensions(std::int64_t size, std::initializer_list<Dimension> dimensions, const char* none,
                         const char* remedy) {
  const auto is_missing = [](const Dimension& dimension) { return *dimension.second == 0; };
  if (size == 0 && std::all_of(dimensions.begin(), dimensions.end(), is_missing)) throw Error(none, remedy);
  for (const auto& [name, dimension] : dimensions) {
    if (*dimension == 0) *dimension = size;
    if (*dimension == 0) throw Error(fmt::format("{} is missing", name), "give it, or --size for all that are missing");
  }
}

}  // namespace tombolo
