#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include <tombolo/framework/element_type.hpp>

namespace tombolo {

/// The dictionary in a .npy header: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
struct NpyDictionary {
  ElementType type = ElementType::float64;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  ///< each at least 0; their product is not checked
};

/// Reads the dictionary whatever the order of its keys, its spacing, its quotes and the tail (Python 2's 5L too). Safe
/// on any text. Errors name the path: a damaged dictionary, an element type that is not Tombolo's, a negative
/// dimension.
NpyDictionary parse_npy_dictionary(std::string_view text, const std::filesystem::path& path);

}  // namespace tombolo
