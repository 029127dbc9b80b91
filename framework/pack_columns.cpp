#include <algorithm>
#include <complex>

#include <tombolo/framework/pack_columns.hpp>

namespace tombolo {

template <Element T>
T* pack_columns(std::int64_t rows, const T* from, std::int64_t stride, std::int64_t columns, T* to) {
  if (columns == stride) return std::copy_n(from, rows * columns, to);
  for (std::int64_t row = 0; row < rows; ++row) to = std::copy_n(from + row * stride, columns, to);
  return to;
}

template float* pack_columns(std::int64_t, const float*, std::int64_t, std::int64_t, float*);
template double* pack_columns(std::int64_t, const double*, std::int64_t, std::int64_t, double*);
template std::complex<float>* pack_columns(std::int64_t, const std::complex<float>*, std::int64_t, std::int64_t,
                                           std::complex<float>*);
template std::complex<double>* pack_columns(std::int64_t, const std::complex<double>*, std::int64_t, std::int64_t,
                                            std::complex<double>*);

}  // namespace tombolo
