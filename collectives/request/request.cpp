#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Keeps sums of several vectors, and times of 2^60 bytes on slow links, within 63 bits.
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

}  // namespace

Request Request::of_vector(Operation operation, int ranks, Rank root, std::int64_t count, Bytes element_bytes) {
  Request request;
  request.operation = operation;
  request.ranks = ranks;
  request.root = is_rooted(operation) ? root : 0;
  request.count = count;
  request.element_bytes = element_bytes;
  return checked(std::move(request));
}

Request Request::of_blocks(Operation operation, Rank root, Blocks blocks, Bytes element_bytes) {
  Request request;
  request.operation = operation;
  request.ranks = blocks.size();
  request.root = is_rooted(operation) ? root : 0;
  request.blocks = std::move(blocks);
  request.element_bytes = element_bytes;
  return checked(std::move(request));
}

Request Request::of_exchange(Operation operation, int ranks, AlltoallCounts exchange, Bytes element_bytes) {
  Request request = of_vector(operation, ranks, 0, 0, element_bytes);
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

Request Request::known_to_all() const {
  Request request = with_in_place(false);
  if (knowledge == Knowledge::everywhere) return request;
  if (sizes(operation) == Sizes::blocks) request.blocks = Blocks::equal(ranks, 1);
  if (sizes(operation) == Sizes::exchange) request.exchange = AlltoallCounts::equal(ranks, 0);
  return request;
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

std::size_t RequestHash::operator()(const Request& request) const {
  std::size_t hash = 0;
  const auto mix = [&hash](std::int64_t value) {
    hash ^= static_cast<std::size_t>(value) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
  };
  mix(static_cast<std::int64_t>(request.operation));
  mix(request.root);
  mix(request.count);
  mix(request.element_bytes);
  // Three counts distinguish most requests; a hash of all counts would cost more than it saves.
  const auto mix_some = [&mix](const Blocks& blocks) {
    mix(blocks.size());
    for (const int block : {0, blocks.size() / 2, blocks.size() - 1}) {
      if (block >= 0 && block < blocks.size() && blocks.known(block)) mix(blocks.count(block));
    }
  };
  if (sizes(request.operation) == Sizes::blocks) mix_some(request.blocks);
  if (sizes(request.operation) == Sizes::exchange) {
    const Rank some = request.exchange.known_rank();
    mix_some(request.exchange.sends(some));
    mix_some(request.exchange.receives(some));
  }
  return hash;
}

bool SameRequest::operator()(const Request& a, const Request& b) const {
  const auto key = [](const Request& r) {
    return std::tie(r.operation, r.ranks, r.root, r.element_bytes, r.count, r.commutative, r.knowledge, r.blocks,
                    r.exchange);
  };
  return key(a) == key(b);
}

}  // namespace tombolo
