#include <algorithm>
#include <cstdint>

#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

// The greatest power of the radix that is less than the size, which is at least 2.
int span_below(int size, int radix) {
  std::int64_t span = 1;
  while (span * radix < size) span *= radix;
  return static_cast<int>(span);
}

Shape k_ary(int radix) {
  // The far parts are the larger ones and go first.
  const auto children = [radix](Subtree whole) {
    std::vector<Subtree> parts;
    int left = whole.size - 1;
    for (int more = radix; more > 0 && left > 0; --more) {
      const int size = (left + more - 1) / more;
      left -= size;
      parts.push_back({whole.top + 1 + left, size});
    }
    return parts;
  };
  const auto towards = [radix](Subtree whole, int place) -> Subtree {
    const int small = (whole.size - 1) / radix;
    const int in_small = (radix - (whole.size - 1) % radix) * small;
    const int first = whole.top + 1;
    const int at = place - first;
    if (at < in_small) return {first + at / small * small, small};
    return {first + in_small + (at - in_small) / (small + 1) * (small + 1), small + 1};
  };
  return {children, towards};
}

Shape k_nomial(int radix) {
  const auto children = [radix](Subtree whole) {
    std::vector<Subtree> parts;
    for (int size = whole.size; size > 1;) {
      const int span = span_below(size, radix);
      const auto level = static_cast<std::ptrdiff_t>(parts.size());
      for (int at = (size - 1) / span * span; at > 0; at -= span) {
        parts.push_back({whole.top + at, std::min(span, size - at)});
      }
      // What is left over at the far end is the smallest and can wait longest.
      const auto farthest = parts.begin() + level;
      if (farthest->size < span) std::rotate(farthest, farthest + 1, parts.end());
      size = span;
    }
    return parts;
  };
  const auto towards = [radix](Subtree whole, int place) -> Subtree {
    const int at = place - whole.top;
    int size = whole.size;
    int span = span_below(size, radix);
    while (at < span) {
      size = span;
      span /= radix;
    }
    const int first = at / span * span;
    return {whole.top + first, std::min(span, size - first)};
  };
  return {children, towards};
}

// The numbers of places that can know, from 1 up, without those that repeat; up to the first that is at least `size`.
std::vector<int> growth(int size, int delay) {
  std::vector<int> known{1};
  while (known.back() < size) {
    const std::size_t step = known.size();
    const auto wait = static_cast<std::size_t>(delay);
    const std::int64_t next = std::int64_t{known.back()} + (step > wait ? known[step - wait] : 1);
    known.push_back(static_cast<int>(std::min<std::int64_t>(next, size)));
  }
  return known;
}

Shape postal(int delay) {
  return [delay](Subtree whole) {
    const std::vector<int> known = growth(whole.size, std::min(delay, whole.size));
    std::vector<Subtree> parts;
    int size = whole.size;
    // What the top keeps is what it can inform itself in one unit less.
    for (std::size_t step = known.size() - 1; step > 0; --step) {
      const int kept = known[step - 1];
      parts.push_back({whole.top + kept, size - kept});
      size = kept;
    }
    return parts;
  };
}

int given_or(int given, int own, int least) {
  return std::max(given > 0 ? given : own, least);
}

}  // namespace

Shape flat_shape(const Parameters&) {
  const auto children = [](Subtree whole) {
    std::vector<Subtree> parts;
    for (int place = whole.top + 1; place < whole.end(); ++place) parts.push_back({place, 1});
    return parts;
  };
  return {children, [](Subtree, int place) -> Subtree { return {place, 1}; }};
}

Shape chain_shape(const Parameters&) {
  const auto towards = [](Subtree whole, int) -> Subtree { return {whole.top + 1, whole.size - 1}; };
  const auto children = [towards](Subtree whole) {
    return whole.size > 1 ? std::vector<Subtree>{towards(whole, whole.top + 1)} : std::vector<Subtree>{};
  };
  return {children, towards};
}

Shape binary_shape(const Parameters&) {
  return k_ary(2);
}

Shape k_ary_shape(const Parameters& parameters) {
  return k_ary(given_or(parameters.radix, k_ary_radix, 2));
}

Shape binomial_shape(const Parameters&) {
  return k_nomial(2);
}

Shape k_nomial_shape(const Parameters& parameters) {
  return k_nomial(given_or(parameters.radix, k_nomial_radix, 2));
}

Shape postal_shape(const Parameters& parameters) {
  return postal(given_or(parameters.delay, postal_delay, 1));
}

}  // namespace tombolo
