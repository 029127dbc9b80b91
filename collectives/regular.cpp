#include <tombolo/collectives/regular.hpp>

namespace tombolo {

Request regular_request(Operation operation, int ranks, Rank root, Bytes bytes, Bytes element_bytes) {
  const std::int64_t count = bytes / element_bytes + (bytes % element_bytes == 0 ? 0 : 1);
  switch (operation) {
    case Operation::barrier:
      return Request::barrier(ranks);
    case Operation::bcast:
      return Request::bcast(ranks, root, count, element_bytes);
    case Operation::reduce:
      return Request::reduce(ranks, root, count, element_bytes);
    case Operation::allreduce:
      return Request::allreduce(ranks, count, element_bytes);
    case Operation::scan:
      return Request::scan(ranks, count, element_bytes);
    case Operation::exscan:
      return Request::exscan(ranks, count, element_bytes);
    case Operation::scatterv:
      return Request::scatterv(root, Blocks::equal(ranks, count), element_bytes);
    case Operation::gatherv:
      return Request::gatherv(root, Blocks::equal(ranks, count), element_bytes);
    case Operation::allgatherv:
      return Request::allgatherv(Blocks::equal(ranks, count), element_bytes);
    case Operation::reduce_scatter:
      return Request::reduce_scatter(Blocks::shared_out(ranks, count), element_bytes);
    case Operation::alltoallv:
      return Request::alltoallv(ranks, Exchange::equal(ranks, count), element_bytes);
  }
  return {};
}

Bytes regular_bytes(const Request& request) {
  switch (sizes(request.operation)) {
    case Sizes::none:
      return 0;
    case Sizes::vector:
      return request.count * request.element_bytes;
    case Sizes::blocks: {
      if (!request.blocks.all_known()) return 0;
      const int parts = request.operation == Operation::reduce_scatter ? 1 : request.ranks;
      return request.blocks.total() / parts * request.element_bytes;
    }
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
    case Sizes::blocks: {
      if (!request.blocks.all_known()) return false;
      const std::int64_t total = request.blocks.total();
      return request.blocks == (request.operation == Operation::reduce_scatter
                                    ? Blocks::shared_out(request.ranks, total)
                                    : Blocks::equal(request.ranks, total / request.ranks));
    }
    case Sizes::exchange:
      return request.exchange.is_equal();
  }
  return false;
}

}  // namespace tombolo
