#include <algorithm>
#include <utility>
#include <vector>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/predict/load.hpp>
#include <tombolo/collectives/predict/unsimulated.hpp>
#include <tombolo/collectives/topology/detours.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>

namespace tombolo {

namespace {

// The time of regular rounds one after the other; none where links differ or for other algorithms.
std::optional<Picoseconds> time_in_rounds(const Plan& plan, const Model& model) {
  const Algorithm& algorithm = plan.algorithm();
  if (algorithm.regular == nullptr || !model.is_uniform()) return std::nullopt;
  const Bytes element = plan.request().element_bytes;
  const std::vector<RegularRounds> rounds = algorithm.regular(plan.request(), plan.parameters());
  if (rounds.empty()) return std::nullopt;
  Wide time = 0;
  for (const RegularRounds& each : rounds) {
    time +=
        Wide{each.number} * plus(message_time(model, 0, 1, each.sent * element), model.local(each.combined * element));
  }
  return static_cast<Picoseconds>(std::min<Wide>(time, never));
}

// Messages that are weighed in the time of one that is simulated.
constexpr std::int64_t weighed_for_one = 64;

// The load of a direct alltoall or allgather, whose messages over one distance load all ranks alike: of evenly spread
// distances, as many as may be weighed, each for as many as it stands for.
Picoseconds heaviest_of_distances(const Request& request, const Model& model, std::int64_t most_messages) {
  const std::int64_t others = request.ranks - 1;
  const std::int64_t distances = std::clamp<std::int64_t>(most_messages / request.ranks, 1, others);
  const bool of_blocks = sizes(request.operation) == Sizes::blocks;
  Load load(request.ranks, model);
  for (std::int64_t i = 0; i < distances; ++i) {
    const auto distance = static_cast<int>(1 + (2 * i + 1) * others / (2 * distances));
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      const Rank to = (rank + distance) % request.ranks;
      const std::int64_t count = of_blocks ? request.blocks.count(rank) : request.exchange.sends(rank).count(to);
      const Bytes bytes = count * request.element_bytes;
      if (bytes > 0) load.add_message(rank, to, bytes, false);
    }
  }
  const Wide all = Wide{load.heaviest()} * others / distances;
  return static_cast<Picoseconds>(std::min<Wide>(all, never));
}

// The load of rounds in which every rank sends over one distance; none for others.
std::optional<Picoseconds> heaviest_of_rounds(const Plan& plan, const Model& model) {
  const Request& request = plan.request();
  const RankOrder places(request.ranks, request.root, plan.parameters().order);
  Load load(request.ranks, model);
  for (const RegularRounds& each : plan.algorithm().regular(request, plan.parameters())) {
    if (each.distance == 0) return std::nullopt;
    for (int place = 0; place < request.ranks; ++place) {
      const Rank to = places.rank((place + each.distance) % request.ranks);
      load.add_message(places.rank(place), to, each.sent * request.element_bytes, false);
    }
  }
  return load.heaviest();
}

// Of an empty message over the detours between two clusters, or directly where there are none: the longest time. And
// the most relays on a way.
struct LongestWay {
  Picoseconds latency = 0;
  std::int64_t relays = 0;
};

LongestWay longest_way(const Detours& detours, const Model& model) {
  LongestWay longest;
  const Partition& clusters = detours.clusters();
  const auto add = [&](std::size_t from, const std::vector<int>& over, std::size_t to) {
    Rank at = clusters[from].front();
    Picoseconds latency = 0;
    for (const int cluster : over) {
      const Rank relay = detours.relays()[static_cast<std::size_t>(cluster)].front();
      latency = plus(latency, message_time(model, std::exchange(at, relay), relay, 0));
    }
    longest.latency = std::max(longest.latency, plus(latency, message_time(model, at, clusters[to].front(), 0)));
    longest.relays = std::max(longest.relays, std::ssize(over));
  };
  for (std::size_t from = 0; from < clusters.size(); ++from) {
    for (std::size_t to = 0; to < clusters.size(); ++to) {
      if (from == to) continue;
      const int pair = detours.pair_of(clusters[from].front(), clusters[to].front());
      if (pair < 0) {
        add(from, {}, to);
        continue;
      }
      for (const Detours::Way& way : detours.pairs()[static_cast<std::size_t>(pair)].ways) add(from, way.over, to);
    }
  }
  return longest;
}

// The time of a plan over detours of too many messages to simulate. Messages that share a link arrive late together, so
// that the hops of a way work side by side for half of the time only.
std::optional<Picoseconds> time_over_detours(const Plan& plan, const Model& model, SearchBudget& budget) {
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  const std::int64_t messages = messages_of(plan, most_weighed_over_detours);
  if (messages > most_weighed_over_detours) return std::nullopt;
  if (!budget.spend(messages / weighed_over_detours, request.ranks)) return std::nullopt;
  Load load(request.ranks, model);
  const std::vector<Schedule> schedules = plan.schedules();
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    load.add(rank, schedules[static_cast<std::size_t>(rank)], request.element_bytes);
  }
  const LongestWay longest = longest_way(parameters.detours, model);
  const Wide time = Wide{load.heaviest()} * (2 + longest.relays) / 2 +
                    Wide{plan.algorithm().in_a_row(request, parameters)} * longest.latency;
  return static_cast<Picoseconds>(std::min<Wide>(time, never));
}

// The time of a plan of too many messages to simulate; none for other algorithms, and where even weighing them takes
// too long.
std::optional<Picoseconds> time_by_load(const Plan& plan, const Model& model, SearchBudget& budget) {
  const Request& request = plan.request();
  const Algorithm& algorithm = plan.algorithm();
  if (plan.learns()) return std::nullopt;
  const auto with_latencies = [&](Picoseconds busy, std::int64_t in_a_row) {
    return plus(busy, static_cast<Picoseconds>(std::min<Wide>(Wide{in_a_row} * model.longest_latency(), never)));
  };
  if (algorithm.regular != nullptr && plan.parameters().detours.empty()) {
    const auto rounds = std::ssize(algorithm.regular(request, plan.parameters()));
    if (rounds == 0 || !budget.spend(rounds * request.ranks / weighed_for_one, request.ranks)) return std::nullopt;
    const auto busy = heaviest_of_rounds(plan, model);
    return busy ? std::optional(with_latencies(*busy, rounds)) : std::nullopt;
  }
  if (algorithm.in_a_row == nullptr) return std::nullopt;
  if (!plan.parameters().detours.empty()) return time_over_detours(plan, model, budget);
  const std::int64_t most = budget.affordable(request.ranks) * weighed_for_one;
  Picoseconds busy = 0;
  const bool whole = sizes(request.operation) == Sizes::exchange || plan.parameters().segment_bytes == 0;
  const bool direct = whole && !algorithm.is_mapped() && algorithm.in_a_row(request, plan.parameters()) == 1;
  if (direct) {
    const std::int64_t some = std::min(most, std::int64_t{1} << 21);
    if (!budget.spend(some / weighed_for_one, request.ranks)) return std::nullopt;
    busy = heaviest_of_distances(request, model, some);
  } else {
    const std::int64_t messages = messages_of(plan, most);
    if (!budget.spend(messages / weighed_for_one, request.ranks)) return std::nullopt;
    Load load(request.ranks, model);
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      load.add(rank, plan.schedule(rank, request), request.element_bytes);
    }
    busy = load.heaviest();
  }
  return with_latencies(busy, algorithm.in_a_row(request, plan.parameters()));
}

// The time of many trees with a part of a vector each, of too many messages for a quick look: the load of the busiest,
// and the time of the first tree by itself. The root of all trees first sends, or last receives, all parts, which share
// its link and so arrive together. None for other plans.
std::optional<Picoseconds> time_of_trees(const Plan& plan, const Model& model, SearchBudget& budget) {
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  const bool whole = parameters.segment_bytes == 0 && parameters.detours.empty();
  if (plan.algorithm().mapped != Mapped::trees || parameters.trees.empty() || !whole) return std::nullopt;
  const std::int64_t messages = std::int64_t{parameters.trees.size()} * request.ranks;
  if (!budget.spend(messages / weighed_for_one + request.ranks, request.ranks)) return std::nullopt;
  const std::vector<Share> shares = shares_over_trees(parameters.trees, request, parameters);
  if (shares.empty()) return std::nullopt;
  Load load(request.ranks, model);
  load.add(plan, shares);
  Request one = request;
  one.count = shares.front().count;
  Parameters alone = parameters;
  alone.trees = MappedTrees(parameters.trees.name(), parameters.trees.tree(shares.front().tree));
  const Picoseconds deep = makespan(Plan(std::move(one), plan.algorithm(), std::move(alone)), model, Sharing::queued);
  const Picoseconds of_root = is_rooted(request.operation) ? load.of(request.root) : 0;
  return plus(plus(load.heaviest(), deep), of_root);
}

}  // namespace

std::optional<Picoseconds> time_unsimulated(const Plan& plan, const Model& model, const Fidelity& look,
                                            std::int64_t messages, bool is_whole, SearchBudget& budget) {
  if (!is_whole || messages > look.messages) {
    if (const auto time = time_in_rounds(plan, model)) return time;
  }
  if (look.sharing == Sharing::queued && messages > look.over_trees) {
    if (const auto time = time_of_trees(plan, model, budget)) return time;
  }
  if (messages > budget.affordable(plan.request().ranks)) return time_by_load(plan, model, budget);
  return std::nullopt;
}

}  // namespace tombolo
