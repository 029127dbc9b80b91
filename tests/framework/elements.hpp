#pragma once

#include <complex>

// The types of the concept Element (tombolo/matrix.hpp), for TEMPLATE_TEST_CASE.
#define TOMBOLO_ELEMENTS float, double, std::complex<float>, std::complex<double>
