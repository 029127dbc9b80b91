#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <string_view>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The element types of matrices, with NumPy's names.
enum class ElementType { float32, float64, complex64, complex128 };

/// Properties of an element type.
struct ElementInfo {
  ElementType type;
  std::string_view name;   ///< "float64"
  std::string_view descr;  ///< spelling in .npy headers: "<f8"
  Bytes bytes;             ///< size of one element
};

/// All element types, in the order of the enumeration.
inline constexpr std::array<ElementInfo, 4> element_types{{
    {ElementType::float32, "float32", "<f4", 4},
    {ElementType::float64, "float64", "<f8", 8},
    {ElementType::complex64, "complex64", "<c8", 8},
    {ElementType::complex128, "complex128", "<c16", 16},
}};

/// element_info(ElementType::float64).bytes == 8
constexpr const ElementInfo& element_info(ElementType type) {
  return element_types[static_cast<std::size_t>(type)];
}

template <class T>
concept Element = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
                  std::same_as<T, std::complex<double>>;

/// element_type_of<double> == ElementType::float64
template <Element T>
inline constexpr ElementType element_type_of = std::same_as<T, float>                 ? ElementType::float32
                                               : std::same_as<T, double>              ? ElementType::float64
                                               : std::same_as<T, std::complex<float>> ? ElementType::complex64
                                                                                      : ElementType::complex128;

}  // namespace tombolo
