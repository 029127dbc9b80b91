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

}  // namespace tombolo
