#pragma once

#include <complex>

/// Expands to STATE(T) for every type of the concept Element (tombolo/matrix.hpp): explicit instantiations of
/// templates.
#define TOMBOLO_FOR_ELEMENTS(STATE) \
  STATE(float)                      \
  STATE(double)                     \
  STATE(std::complex<float>)        \
  STATE(std::complex<double>)
