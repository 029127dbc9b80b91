#pragma once

#include <vector>

namespace tombolo {

/// How redundant values become one.
enum class Averaging {
  mean,
  trimmed,  ///< the mean without the fifth that is smallest and the fifth that is largest
  median
};

/// 0 of none.
double averaged(std::vector<double> values, Averaging averaging);

}  // namespace tombolo
