#include <tuple>

#include <tombolo/collectives/request/request_hash.hpp>

namespace tombolo {

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
