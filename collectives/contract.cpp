#include <tombolo/collectives/contract.hpp>
#include <tombolo/collectives/scratch_limit.hpp>

namespace tombolo {

namespace {

Symbol symbol(Rank rank, std::int64_t index) {
  return {index, {{rank, rank}}};
}

Content content(Buffer buffer, std::int64_t offset, std::int64_t count, Symbol first) {
  return {{buffer, offset, count}, std::move(first)};
}

Contract barrier() {
  Contract c;
  c.synchronises = true;
  return c;
}

Contract bcast(const Request& request, Rank rank) {
  Contract c;
  c.output_size = request.count;
  c.scratch_limit = request.count;
  const Content vector = content(Buffer::output, 0, request.count, symbol(request.root, 0));
  if (rank == request.root) c.before.push_back(vector);
  c.after.push_back(vector);
  return c;
}

Contract reduce(const Request& request, Rank rank) {
  Contract c;
  const bool is_root = rank == request.root;
  const bool in_output = is_root && request.in_place;
  c.reduces = true;
  if (is_root) c.output_size = request.count;
  c.scratch_limit = combining_scratch_limit(request.count, request.element_bytes);
  if (!in_output) c.input_size = request.count;
  c.before.push_back(content(in_output ? Buffer::output : Buffer::input, 0, request.count, symbol(rank, 0)));
  if (is_root) c.after.push_back(content(Buffer::output, 0, request.count, {0, {{0, request.ranks - 1}}}));
  return c;
}

// Every rank brings a vector and gets what those of ranks 0 to `last` make together; nothing for last < 0.
Contract prefix(const Request& request, Rank rank, Rank last) {
  Contract c;
  c.reduces = true;
  c.scratch_limit = combining_scratch_limit(request.count, request.element_bytes);
  if (last >= 0 || request.in_place) c.output_size = request.count;
  if (!request.in_place) c.input_size = request.count;
  const Buffer own = request.in_place ? Buffer::output : Buffer::input;
  c.before.push_back(content(own, 0, request.count, symbol(rank, 0)));
  if (last >= 0) c.after.push_back(content(Buffer::output, 0, request.count, {0, {{0, last}}}));
  return c;
}

Contract reduce_scatter(const Request& request, Rank rank) {
  Contract c;
  const std::int64_t total = request.blocks.total();
  c.reduces = true;
  c.scratch_limit = combining_scratch_limit(total, request.element_bytes);
  c.output_size = request.in_place ? total : request.blocks.count(rank);
  if (!request.in_place) c.input_size = total;
  c.before.push_back(content(request.in_place ? Buffer::output : Buffer::input, 0, total, symbol(rank, 0)));
  c.after.push_back(
      content(Buffer::output, 0, request.blocks.count(rank), {request.blocks.offset(rank), {{0, request.ranks - 1}}}));
  return c;
}

Contract scatterv(const Request& request, Rank rank) {
  Contract c;
  c.scratch_limit = request.blocks.total();
  if (rank == request.root) {
    c.input_size = request.blocks.total();
    c.before.push_back(content(Buffer::input, 0, c.input_size, symbol(rank, 0)));
    if (request.in_place) return c;
  }
  c.output_size = request.blocks.count(rank);
  c.after.push_back(content(Buffer::output, 0, c.output_size, symbol(request.root, request.blocks.offset(rank))));
  return c;
}

// To the root, or to all.
Contract gatherv(const Request& request, Rank rank) {
  Contract c;
  const std::int64_t own = request.blocks.count(rank);
  const bool gets_all = rank == request.root || !is_rooted(request.operation);
  c.scratch_limit = request.blocks.total();
  if (gets_all && request.in_place) {
    c.before.push_back(content(Buffer::output, request.blocks.offset(rank), own, symbol(rank, 0)));
  } else {
    c.input_size = own;
    c.before.push_back(content(Buffer::input, 0, own, symbol(rank, 0)));
  }
  if (!gets_all) return c;
  c.output_size = request.blocks.total();
  for (Rank r = 0; r < request.ranks; ++r) {
    c.after.push_back(content(Buffer::output, request.blocks.offset(r), request.blocks.count(r), symbol(r, 0)));
  }
  return c;
}

// All that is exchanged, in elements: what is forwarded in common messages may all pass through one rank.
std::int64_t exchanged(const Request& request) {
  std::int64_t sum = 0;
  for (Rank r = 0; r < request.ranks; ++r) sum = plus(sum, request.exchange.sends(r).total());
  return sum;
}

Contract alltoallv(const Request& request, Rank rank) {
  Contract c;
  const Blocks receives = request.exchange.receives(rank);
  c.input_size = request.exchange.sends(rank).total();
  c.output_size = receives.total();
  c.scratch_limit = exchanged(request);
  c.before.push_back(content(Buffer::input, 0, c.input_size, symbol(rank, 0)));
  for (Rank r = 0; r < request.ranks; ++r) {
    const std::int64_t index = request.exchange.sends(r).offset(rank);
    c.after.push_back(content(Buffer::output, receives.offset(r), receives.count(r), symbol(r, index)));
  }
  return c;
}

}  // namespace

Contract contract(const Request& request, Rank rank) {
  switch (request.operation) {
    case Operation::barrier:
      return barrier();
    case Operation::bcast:
      return bcast(request, rank);
    case Operation::reduce:
      return reduce(request, rank);
    case Operation::scatterv:
      return scatterv(request, rank);
    case Operation::gatherv:
    case Operation::allgatherv:
      return gatherv(request, rank);
    case Operation::reduce_scatter:
      return reduce_scatter(request, rank);
    case Operation::allreduce:
      return prefix(request, rank, request.ranks - 1);
    case Operation::scan:
      return prefix(request, rank, rank);
    case Operation::exscan:
      return prefix(request, rank, rank - 1);
    case Operation::alltoallv:
      return alltoallv(request, rank);
  }
  return {};
}

Contract learning_contract(const Request& request, Rank rank) {
  Contract c;
  c.counts_size = request.ranks;
  const Request seen = request.seen_by(rank);
  for (Rank r = 0; r < request.ranks; ++r) {
    if (seen.blocks.known(r)) c.before.push_back(content(Buffer::counts, r, 1, symbol(r, r)));
  }
  return c;
}

}  // namespace tombolo
