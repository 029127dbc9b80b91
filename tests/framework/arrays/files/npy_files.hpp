#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/files.hpp"

namespace npy_files {

using namespace test_files;

/// Magic, version, length and the dictionary's text.
inline std::string header(const std::string& dictionary, int version = 1) {
  std::string result("\x93NUMPY");
  result += {static_cast<char>(version), '\0'};
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) {
    result += static_cast<char>(dictionary.size() >> (8 * byte) & 0xff);
  }
  return result + dictionary;
}

inline std::string dictionary(const std::string& descr, bool fortran_order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + shape +
         ", }\n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace npy_files
