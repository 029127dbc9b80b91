#include <bit>

#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

std::vector<Subtree> flat_shape(Subtree whole) {
  std::vector<Subtree> children;
  for (int place = whole.top + 1; place < whole.end(); ++place) children.push_back({place, 1});
  return children;
}

std::vector<Subtree> chain_shape(Subtree whole) {
  if (whole.size == 1) return {};
  return {{whole.top + 1, whole.size - 1}};
}

std::vector<Subtree> binary_shape(Subtree whole) {
  const int below = whole.size - 1;
  const int first = (below + 1) / 2;
  std::vector<Subtree> children;
  if (first > 0) children.push_back({whole.top + 1, first});
  if (below > first) children.push_back({whole.top + 1 + first, below - first});
  return children;
}

std::vector<Subtree> binomial_shape(Subtree whole) {
  std::vector<Subtree> children;
  int size = whole.size;
  while (size > 1) {
    const int half = static_cast<int>(std::bit_ceil(static_cast<unsigned>(size)) / 2);
    children.push_back({whole.top + half, size - half});
    size = half;
  }
  return children;
}

}  // namespace tombolo
