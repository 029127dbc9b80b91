#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/operations/rules.hpp>

namespace tombolo {

Content contribution(const BufferRange& piece, Rank rank, std::int64_t index) {
  return {piece, {index, {{rank, rank}}}};
}

Contract contract(const Request& request, Rank rank) {
  return rules(request.operation).contract(request, rank);
}

Contract learning_contract(const Request& request, Rank rank) {
  Contract c;
  c.counts_size = request.ranks;
  const Request seen = request.seen_by(rank);
  for (Rank r = 0; r < request.ranks; ++r) {
    if (seen.blocks.known(r)) c.before.push_back(contribution({Buffer::counts, r, 1}, r, r));
  }
  return c;
}

}  // namespace tombolo
