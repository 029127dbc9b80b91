#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/request.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

// Sums of several vectors, and times of 2^60 bytes on slow links, stay within 63 bits.
constexpr Bytes largest_vector = Bytes{1} << 60;

void check_bytes(std::int64_t count, Bytes element_bytes) {
  if (count <= largest_vector / std::max<Bytes>(element_bytes, 1)) return;
  throw Error(fmt::format("{} elements of {} bytes", count, element_bytes), "a vector has at most 2^60 bytes");
}

Request checked(Request request) {
  if (request.ranks < 1) {
    throw Error(fmt::format("a collective over {} ranks", request.ranks), "there must be at least one rank");
  }
  if (request.root < 0 || request.root >= request.ranks) {
    throw Error(fmt::format("root {} in a communicator of {} ranks", request.root, request.ranks),
                fmt::format("the root must be 0 to {}", request.ranks - 1));
  }
  if (request.element_bytes < 0 || request.count < 0) {
    throw Error(fmt::format("{} elements of {} bytes", request.count, request.element_bytes),
                "sizes must not be negative");
  }
  check_bytes(request.count, request.element_bytes);
  if (request.blocks.all_known()) check_bytes(request.blocks.total(), request.element_bytes);
  return request;
}

Request over_blocks(Operation operation, Rank root, Blocks blocks, Bytes element_bytes) {
  Request request;
  request.operation = operation;
  request.ranks = blocks.size();
  request.root = root;
  request.blocks = std::move(blocks);
  request.element_bytes = element_bytes;
  return checked(std::move(request));
}

Request over_vector(Operation operation, int ranks, Rank root, std::int64_t count, Bytes element_bytes) {
  Request request;
  request.operation = operation;
  request.ranks = ranks;
  request.root = root;
  request.count = count;
  request.element_bytes = element_bytes;
  return checked(std::move(request));
}

}  // namespace

Request Request::barrier(int ranks) {
  return over_vector(Operation::barrier, ranks, 0, 0, 0);
}

Request Request::bcast(int ranks, Rank root, std::int64_t count, Bytes element_bytes) {
  return over_vector(Operation::bcast, ranks, root, count, element_bytes);
}

Request Request::reduce(int ranks, Rank root, std::int64_t count, Bytes element_bytes, bool commutative) {
  return over_vector(Operation::reduce, ranks, root, count, element_bytes).combining(commutative);
}

Request Request::allreduce(int ranks, std::int64_t count, Bytes element_bytes, bool commutative) {
  return over_vector(Operation::allreduce, ranks, 0, count, element_bytes).combining(commutative);
}

Request Request::scan(int ranks, std::int64_t count, Bytes element_bytes, bool commutative) {
  return over_vector(Operation::scan, ranks, 0, count, element_bytes).combining(commutative);
}

Request Request::exscan(int ranks, std::int64_t count, Bytes element_bytes, bool commutative) {
  return over_vector(Operation::exscan, ranks, 0, count, element_bytes).combining(commutative);
}

Request Request::scatterv(Rank root, Blocks blocks, Bytes element_bytes) {
  return over_blocks(Operation::scatterv, root, std::move(blocks), element_bytes);
}

Request Request::gatherv(Rank root, Blocks blocks, Bytes element_bytes) {
  return over_blocks(Operation::gatherv, root, std::move(blocks), element_bytes);
}

Request Request::allgatherv(Blocks blocks, Bytes element_bytes) {
  return over_blocks(Operation::allgatherv, 0, std::move(blocks), element_bytes);
}

Request Request::reduce_scatter(Blocks blocks, Bytes element_bytes, bool commutative) {
  return over_blocks(Operation::reduce_scatter, 0, std::move(blocks), element_bytes).combining(commutative);
}

Request Request::alltoallv(int ranks, Exchange exchange, Bytes element_bytes) {
  Request request = over_vector(Operation::alltoallv, ranks, 0, 0, element_bytes);
  const int different = exchange.is_equal() ? 1 : ranks;
  for (Rank rank = 0; rank < different; ++rank) {
    if (!exchange.knows(rank)) continue;
    check_bytes(exchange.sends(rank).total(), element_bytes);
    check_bytes(exchange.receives(rank).total(), element_bytes);
  }
  request.exchange = std::move(exchange);
  return request;
}

Request Request::with_in_place(bool now) const {
  Request request = *this;
  request.in_place = now;
  return request;
}

Request Request::combining(bool in_any_order) const {
  Request request = *this;
  request.commutative = in_any_order;
  return request;
}

Request Request::knowing(Knowledge now) const {
  Request request = *this;
  const bool all_given =
      sizes(operation) != Sizes::exchange && !(is_rooted(operation) && sizes(operation) == Sizes::blocks);
  request.knowledge = all_given ? Knowledge::everywhere : now;
  return request;
}

Request Request::seen_by(Rank rank) const {
  Request request = *this;
  const bool rooted = is_rooted(operation);
  request.in_place = in_place && (!rooted || rank == root);
  if (knowledge == Knowledge::everywhere) return request;
  if (sizes(operation) == Sizes::exchange) request.exchange = exchange.seen_by(rank);
  if (!rooted || blocks.size() == 0 || rank == root) return request;
  std::vector<bool> known(static_cast<std::size_t>(ranks), false);
  known[static_cast<std::size_t>(rank)] = true;
  return request.with_known(known, blocks);
}

Request Request::with_known(const std::vector<bool>& known, const Blocks& all) const {
  std::vector<std::int64_t> counts(known.size(), Blocks::unknown);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]) counts[i] = all.count(static_cast<int>(i));
  }
  Request request = *this;
  request.blocks = Blocks(std::move(counts));
  return request;
}

}  // namespace tombolo
