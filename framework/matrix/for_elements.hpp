#pragma once

#include <complex>
#include <type_traits>

#include <tombolo/matrix.hpp>

/// Expands to STATE(T) for every type of the concept Element (tombolo/matrix.hpp): explicit instantiations of
/// templates.
#define TOMBOLO_FOR_ELEMENTS(STATE) \
  STATE(float)                      \
  STATE(double)                     \
  STATE(std::complex<float>)        \
  STATE(std::complex<double>)

namespace tombolo {

/// Calls work(std::type_identity<T>()) with the C++ type of elements.
template <class Work>
void with_type(ElementType type, const Work& work) {
  switch (type) {
    case ElementType::float32:
      return work(std::type_identity<float>());
    case ElementType::float64:
      return work(std::type_identity<double>());
    case ElementType::complex64:
      return work(std::type_identity<std::complex<float>>());
    case ElementType::complex128:
      return work(std::type_identity<std::complex<double>>());
  }
}

}  // namespace tombolo
