#include <tombolo/collectives/request/regular.hpp>

namespace tombolo {

namespace {

Blocks regular_blocks(Operation operation, int ranks, std::int64_t count) {
  return divides_vector(operation) ? Blocks::shared_out(ranks, count) : Blocks::equal(ranks, count);
}

// Elements of the regular request with as many elements in all.
std::int64_t regular_count(const Request& request) {
  return request.blocks.total() / (divides_vector(request.operation) ? 1 : request.ranks);
}

}  // namespace

Request regular_request(Operation operation, int ranks, Rank root, Bytes bytes, Bytes element_bytes) {
  const std::int64_t count = bytes / element_bytes + (bytes % element_bytes == 0 ? 0 : 1);
  switch (sizes(operation)) {
    case Sizes::none:
      return Request::of_vector(operation, ranks, root, 0, 0);
    case Sizes::vector:
      return Request::of_vector(operation, ranks, root, count, element_bytes);
    case Sizes::blocks:
      return Request::of_blocks(operation, root, regular_blocks(operation, ranks, count), element_bytes);
    case Sizes::exchange:
      return Request::of_exchange(operation, ranks, AlltoallCounts::equal(ranks, count), element_bytes);
  }
  return {};
}

Bytes regular_bytes(const Request& request) {
  switch (sizes(request.operation)) {
    case Sizes::none:
      return 0;
    case Sizes::vector:
      return request.count * request.element_bytes;
    case Sizes::blocks:
      return request.blocks.all_known() ? regular_count(request) * request.element_bytes : 0;
    case Sizes::exchange:
      return request.exchange.sends(request.root).total() / request.ranks * request.element_bytes;
  }
  return 0;
}

bool is_regular(const Request& request) {
  if (request.knowledge != Knowledge::everywhere) return false;
  switch (sizes(request.operation)) {
    case Sizes::none:
    case Sizes::vector:
      return true;
    case Sizes::blocks:
      return request.blocks.all_known() &&
             request.blocks == regular_blocks(request.operation, request.ranks, regular_count(request));
    case Sizes::exchange:
      return request.exchange.is_equal();
  }
  return false;
}

}  // namespace tombolo
