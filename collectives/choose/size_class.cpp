#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <tombolo/collectives/choose/size_class.hpp>

namespace tombolo {

namespace {

// Larger sizes are their own class: doubling them could overflow.
constexpr std::int64_t largest = std::int64_t{1} << 50;

std::int64_t rounded(std::int64_t count, Bytes element_bytes) {
  const Bytes element = std::max<Bytes>(element_bytes, 1);
  if (count <= 0 || count > largest / element) return count;
  const auto bytes = static_cast<std::uint64_t>(count * element);
  const std::uint64_t above = std::bit_ceil(bytes);
  const std::uint64_t between = above / 4 * 3;
  const auto size = static_cast<std::int64_t>(bytes <= between ? between : above);
  return (size + element - 1) / element;
}

constexpr std::int64_t part_that_differs = 8;  // one of so many elements at most

/// Elements of pairs of blocks, and how many of them one of the two has more than the other.
struct Compared {
  double elements = 0;
  double differing = 0;

  void add(const Blocks& a, const Blocks& b) {
    for (int block = 0; block < a.size(); ++block) {
      const auto [less, more] = std::minmax({a.count(block), b.count(block)});
      elements += static_cast<double>(more);
      differing += static_cast<double>(more - less);
    }
  }
  bool alike() const { return differing * part_that_differs <= elements; }
};

bool nearly_equal(const Blocks& a, const Blocks& b) {
  Compared all;
  all.add(a, b);
  return all.alike();
}

}  // namespace

Request size_class(const Request& request) {
  Request like = request;
  switch (sizes(request.operation)) {
    case Sizes::none:
      break;
    case Sizes::vector:
      like.count = rounded(request.count, request.element_bytes);
      break;
    case Sizes::blocks:
      if (request.blocks.all_equal()) {
        const std::int64_t each = rounded(request.blocks.count(0), request.element_bytes);
        if (each <= largest / request.ranks) like.blocks = Blocks::equal(request.blocks.size(), each);
      }
      break;
    case Sizes::exchange:
      if (request.exchange.is_equal()) {
        const std::int64_t each = rounded(request.exchange.sends(0).count(0), request.element_bytes);
        if (each <= largest / request.ranks) like.exchange = AlltoallCounts::equal(request.ranks, each);
      }
      break;
  }
  return like;
}

bool alike(const Request& a, const Request& b) {
  if (a == b) return true;
  const Sizes sizes_of = sizes(a.operation);
  Request other = b;
  other.blocks = a.blocks;
  other.exchange = a.exchange;
  if (other != a || a.knowledge != Knowledge::everywhere) return false;
  if (sizes_of == Sizes::blocks) return a.blocks.size() == b.blocks.size() && nearly_equal(a.blocks, b.blocks);
  if (sizes_of != Sizes::exchange) return false;
  const auto factors_of_a = a.exchange.factors();
  const auto factors_of_b = b.exchange.factors();
  if (factors_of_a && factors_of_b) {
    return nearly_equal(factors_of_a->first, factors_of_b->first) &&
           nearly_equal(factors_of_a->second, factors_of_b->second);
  }
  const auto all_know = [&](const AlltoallCounts& counts) { return counts.knows(0) && counts.knows(a.ranks - 1); };
  if (!all_know(a.exchange) || !all_know(b.exchange)) return false;
  Compared all;
  for (Rank rank = 0; rank < a.ranks; ++rank) all.add(a.exchange.sends(rank), b.exchange.sends(rank));
  return all.alike();
}

}  // namespace tombolo
