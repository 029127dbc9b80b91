// Allreduces of small vectors: by recursive multiplying (recursive doubling for any radix), by gathering all vectors on
// all ranks, and by sums of ever more neighbours on a ring.

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include <tombolo/collectives/algorithms/common/rotated_sum.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/radix_groups.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

// Groups of virtual ranks with the same partial result exchange it with `radix` - 1 other groups, then the resulting
// groups do, in ceil(log_radix(ranks)) rounds, for any number of ranks (radix_groups.hpp). Operands keep the order of
// ranks. The radix is reduced if scratch has no room for all concurrent messages.
// `fixed`: the radix, or 0 for that of the parameters.
template <int fixed>
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  if (request.count == 0) return;
  const int radix = fixed > 0 ? fixed : parameters.radix_or(usual_radix);
  const RankOrder rank_order = request.commutative ? RankOrder(request.ranks, request.root, parameters.order)
                                                   : RankOrder::in_rank_order(request.ranks);
  const int place = rank_order.place(rank);
  const BufferRange result{Buffer::output, 0, request.count};
  BufferRange sum{request.in_place ? Buffer::output : Buffer::input, 0, request.count};

  // Scratch has room for the sum so far, which is being sent, and for all arriving messages of a round: waiting for
  // room could create a cycle of waiting ranks.
  const std::int64_t room = combining_scratch_limit(request.count, request.element_bytes) / request.count;
  const auto base = static_cast<int>(std::min<std::int64_t>({radix, request.ranks, room + 1}));
  VectorAreas areas;
  areas.add_scratch(request.ranks > 1 ? base - 1 : 0, request.count, writer);
  if (!request.in_place) areas.add(result);

  const std::vector<GroupLevel> levels = radix_groups(request.ranks, std::max(base, 2), place);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Group& own = level->own();
    const int index = place - own.first;
    const int last = level->count() - 1;
    const bool is_last_round = std::next(level) == levels.rend();
    for (int step = 1; step <= last; ++step) {
      for (const int target : partnered(own, index, level->further(-step))) writer.send(rank_order.rank(target), {sum});
    }
    RotatedSum total(sum, areas, writer);
    for (int step = 1; step <= last; ++step) {
      const bool above = request.commutative || level->index(step) > level->mine;
      const bool is_last = step == last || (!request.commutative && level->index(step) == last);
      const BufferRange arrived = above && is_last && is_last_round ? areas.take_output() : areas.take();
      writer.receive(rank_order.rank(partner(level->further(step), index)), {arrived});
      above ? total.add_above(arrived) : total.add_below(arrived);
    }
    const BufferRange before = std::exchange(sum, total.finish());
    if (before != sum && before.buffer != Buffer::input) areas.give_back(before);
  }
  writer.copy({sum}, {result});
}

// The rounds of Bruck et al. 1997 over whole vectors: before the round of a distance every rank has as many vectors,
// from its own on. Calls round(distance, vectors that a rank receives).
template <class Round>
void for_gathering_rounds(int ranks, const Round& round) {
  for (int distance = 1; distance < ranks; distance *= 2) round(distance, std::min(distance, ranks - distance));
}

// All ranks combine all vectors in the same order, so that results do not differ between ranks, whatever is rounded.
void write_gather(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  if (request.count == 0) return;
  const int ranks = request.ranks;
  if (request.count > combining_scratch_limit(request.count, request.element_bytes) / ranks) {
    write<2>(request, parameters, rank, writer);
    return;
  }
  const RankOrder rank_order =
      request.commutative ? RankOrder(ranks, request.root, parameters.order) : RankOrder::in_rank_order(ranks);
  const int place = rank_order.place(rank);
  const std::int64_t count = request.count;
  const std::int64_t base = writer.scratch(ranks * count);
  const auto vectors = [&](int first, int number) {
    first %= ranks;
    const int before_end = std::min(number, ranks - first);
    return BufferRanges{{Buffer::scratch, base + first * count, before_end * count},
                        {Buffer::scratch, base, (number - before_end) * count}};
  };
  writer.copy({{request.in_place ? Buffer::output : Buffer::input, 0, count}}, vectors(place, 1));
  for_gathering_rounds(ranks, [&](int distance, int number) {
    writer.send(rank_order.rank((place - distance + ranks) % ranks), vectors(place, number));
    writer.receive(rank_order.rank((place + distance) % ranks), vectors(place + distance, number));
  });
  const BufferRanges sum = vectors(ranks - 1, 1);
  for (int other = ranks - 2; other >= 0; --other) writer.reduce(vectors(other, 1), sum);
  writer.copy(sum, {{Buffer::output, 0, count}});
}

std::vector<RegularRounds> gathering_rounds(const Request& request, const Parameters&) {
  std::vector<RegularRounds> rounds;
  if (request.count == 0) return rounds;
  if (request.count > combining_scratch_limit(request.count, request.element_bytes) / request.ranks) return rounds;
  for_gathering_rounds(request.ranks, [&](int distance, int number) {
    rounds.push_back({.sent = number * request.count, .distance = request.ranks - distance});
  });
  if (!rounds.empty()) rounds.back().combined = (request.ranks - 1) * request.count;
  return rounds;
}

// A round of the census: a rank's sum of as many consecutive virtual ranks as `before`, its own first, becomes that of
// `after` of them, twice as many or one less, by what the virtual rank `distance` further on sends: its sum, or its sum
// without itself.
struct CensusRound {
  int distance;
  bool without_itself;
};

std::vector<CensusRound> census_rounds(int ranks) {
  std::vector<CensusRound> rounds;
  for (int after = ranks; after > 1; after -= after / 2) {
    const bool odd = after % 2 == 1;
    rounds.push_back({.distance = after / 2, .without_itself = odd});
  }
  std::ranges::reverse(rounds);
  return rounds;
}

// Bar-Noy, Kipnis and Schieber 1993, "An optimal algorithm for computing census functions in message-passing systems":
// one whole vector in each of ceil(log2(ranks)) rounds, for any number of ranks. Every rank begins with itself.
void write_census(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  if (request.count == 0) return;
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const int place = rank_order.place(rank);
  const std::vector<CensusRound> rounds = census_rounds(request.ranks);
  const auto odd =
      std::ranges::find_if(std::views::reverse(rounds), &CensusRound::without_itself).base() - rounds.begin();
  const BufferRange sum{Buffer::output, 0, request.count};
  const auto room = [&](bool needed) {
    return BufferRange{Buffer::scratch, writer.scratch(needed ? request.count : 0), request.count};
  };
  const BufferRange others = room(odd > 0);  // the sum without this rank
  const BufferRange place_of_arrivals = room(!rounds.empty());
  if (!request.in_place) writer.copy({{Buffer::input, 0, request.count}}, {sum});
  for (std::ptrdiff_t round = 0; round < std::ssize(rounds); ++round) {
    const auto [distance, without_itself] = rounds[static_cast<std::size_t>(round)];
    const bool first_of_others = round == 0 && odd > 0;
    const BufferRange arrived = first_of_others ? others : place_of_arrivals;
    writer.send(rank_order.rank((place - distance + request.ranks) % request.ranks), {without_itself ? others : sum});
    writer.receive(rank_order.rank((place + distance) % request.ranks), {arrived});
    writer.reduce({arrived}, {sum});
    if (round + 1 < odd && !first_of_others) writer.reduce({arrived}, {others});
  }
}

std::vector<RegularRounds> regular_census(const Request& request, const Parameters&) {
  std::vector<RegularRounds> rounds;
  if (request.count == 0) return rounds;
  for (const CensusRound& each : census_rounds(request.ranks)) {
    rounds.push_back({.sent = request.count, .combined = request.count, .distance = request.ranks - each.distance});
  }
  return rounds;
}

}  // namespace

const Algorithm allreduce_recursive_doubling{
    .name = "recursive_doubling",
    .operation = Operation::allreduce,
    .summary =
        "pairs combine, then pairs of pairs; ceil(log2(ranks)) rounds for small vectors, keeps operands in order",
    .write = write<2>,
};

const Algorithm allreduce_gather{
    .name = "gather",
    .operation = Operation::allreduce,
    .summary =
        "all ranks gather all vectors and combine them; one message a round for any number of ranks, tiny vectors",
    .write = write_gather,
    .regular = gathering_rounds,
};

const Algorithm allreduce_census{
    .name = "census",
    .operation = Operation::allreduce,
    .summary = "sums of ever more ranks around a ring, one whole vector a round for any number of ranks; small vectors",
    .write = write_census,
    .regular = regular_census,
    .needs_commutative = true,
    .ranks_differ = true,
};

const Algorithm allreduce_recursive_multiplying{
    .name = "exchange",
    .operation = Operation::allreduce,
    .summary =
        "groups of `radix` combine, then groups of groups; fewer rounds for small vectors, keeps operands in order",
    .write = write<0>,
    .radix = usual_radix,
    .ranks_differ = true,
};

}  // namespace tombolo
