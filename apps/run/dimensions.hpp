#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

namespace tombolo {

/// The option that states a dimension of a generated matrix, and its value, 0 where it was not given.
using Dimension = std::pair<const char*, std::int64_t*>;

/// Sets the dimensions that were not given to `size`, the value of --size. Throws Error where that is 0 as well; `none`
/// says so where nothing was given at all, `remedy` what to give.
void complete_dimensions(std::int64_t size, std::initializer_list<Dimension> dimensions, const char* none,
                         const char* remedy);

}  // namespace tombolo
