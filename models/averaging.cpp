#include <algorithm>
#include <numeric>

#include <tombolo/models/averaging.hpp>
#include <tombolo/models/least_squares.hpp>

namespace tombolo {

double averaged(std::vector<double> values, Averaging averaging) {
  if (values.empty()) return 0;
  if (averaging == Averaging::median) return middle_of(values);
  const auto cut = averaging == Averaging::trimmed ? static_cast<std::ptrdiff_t>(values.size() / 5) : 0;
  if (cut > 0) std::sort(values.begin(), values.end());
  const double sum = std::accumulate(values.begin() + cut, values.end() - cut, 0.0);
  return sum / static_cast<double>(values.size() - 2 * static_cast<std::size_t>(cut));
}

}  // namespace tombolo
