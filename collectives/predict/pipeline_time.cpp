#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// Busy times of processors, shared cores, ports and network links.
class Load {
 public:
  Load(int ranks, const Model& model, Picoseconds limit)
      : model_(model),
        limit_(limit),
        processors_(static_cast<std::size_t>(ranks), 0),
        out_(processors_),
        in_(processors_),
        cores_(model.shared_cores()),
        hosts_(cores_ == nullptr ? 0 : cores_->hosts().size(), 0),
        bytes_(model.network() == nullptr ? 0 : model.network()->rates().size(), 0) {
    if (limit == never) return;
    for (std::size_t link = 0; link < bytes_.size(); ++link) {
      const Wide most = Wide{limit} * model.network()->rates()[link] / picoseconds_per_second * Network::whole;
      most_bytes_.push_back(static_cast<Bytes>(std::min<Wide>(most, never)));
    }
  }

  // Sends of a window are synchronous, as in execute().
  void add_message(Rank from, Rank to, Bytes bytes, bool in_window) {
    MessageCost cost = model_.message(from, to, bytes);
    if (in_window) cost.make_synchronous();
    add_processing(from, cost.overhead);
    add_processing(to, cost.receive_overhead);
    add(out_, from, std::max(cost.overhead, cost.send));
    add(in_, to, cost.receive);
    if (cost.flow.bytes == 0) return;
    model_.network()->find_route(from, to, route_);
    for (const Network::Use& use : route_.uses) {
      const auto link = static_cast<std::size_t>(use.link);
      bytes_[link] = plus(bytes_[link], cost.flow.bytes * use.part);
      if (limit_ < never && bytes_[link] > most_bytes_[link]) beyond_ = true;
    }
  }
  void add_local(Rank rank, Bytes bytes) { add_processing(rank, model_.local(bytes)); }

  // The busy time of a rank: of its processor or of a port.
  Picoseconds of(Rank rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return std::max({processors_[at], out_[at], in_[at]});
  }
  // True once something is busy for longer than the limit.
  bool beyond() const { return beyond_; }
  // The busy time of the busiest of all.
  Picoseconds heaviest() const {
    Picoseconds heaviest = 0;
    for (const auto* const all : {&processors_, &out_, &in_}) {
      for (const Picoseconds time : *all) heaviest = std::max(heaviest, time);
    }
    for (std::size_t host = 0; host < hosts_.size(); ++host) {
      heaviest = std::max(heaviest, hosts_[host] / cores_->hosts()[host].cores);
    }
    for (std::size_t link = 0; link < bytes_.size(); ++link) {
      heaviest = std::max(heaviest, transfer_time(bytes_[link] / Network::whole, model_.network()->rates()[link]));
    }
    return heaviest;
  }

 private:
  void add_processing(Rank rank, Picoseconds more) {
    add(processors_, rank, more);
    const int host = cores_ == nullptr ? -1 : cores_->host_of(rank);
    if (host < 0) return;
    Picoseconds& time = hosts_[static_cast<std::size_t>(host)];
    time = plus(time, more);
    if (time / cores_->hosts()[static_cast<std::size_t>(host)].cores > limit_) beyond_ = true;
  }
  void add(std::vector<Picoseconds>& times, Rank rank, Picoseconds more) {
    Picoseconds& time = times[static_cast<std::size_t>(rank)];
    time = plus(time, more);
    if (time > limit_) beyond_ = true;
  }

  const Model& model_;
  Picoseconds limit_;
  bool beyond_ = false;
  std::vector<Picoseconds> processors_, out_, in_;  // by rank
  const SharedCores* cores_;
  std::vector<Picoseconds> hosts_;         // whose cores are shared: the sum over their ranks' processors
  std::vector<Bytes> bytes_, most_bytes_;  // by link, in units of 1 / Network::whole bytes
  Network::Route route_;
};

// Adds the messages of shares that go through trees, and what is combined at their ends.
void add(Load& load, const Plan& plan, std::span<const Share> shares) {
  const Request& request = plan.request();
  const Root root = traits(request.operation).root;
  const bool in_window = plan.parameters().window > 0;
  for (const Share& share : shares) {
    const RankTree& tree = plan.parameters().trees.tree(share.tree);
    const Bytes bytes = share.count * request.element_bytes;
    for (std::size_t place = 0; place < tree.order().size(); ++place) {
      if (tree.parents()[place] < 0) continue;
      const Rank parent = tree.order()[static_cast<std::size_t>(tree.parents()[place])];
      const Rank child = tree.order()[place];
      if (root != Root::target) load.add_message(parent, child, bytes, in_window);
      if (root == Root::source) continue;
      load.add_message(child, parent, bytes, in_window);
      load.add_local(parent, bytes);
    }
  }
}

// Adds a rank's sends and local steps; the sums over all ranks are a lower bound of any prediction, and the time of a
// full pipeline.
void add(Load& load, Rank rank, const Schedule& schedule, Bytes element_bytes) {
  for (const Step& step : schedule.steps()) {
    const Bytes bytes = step.count * element_bytes;
    if (step.kind == Step::Kind::send) load.add_message(rank, step.peer, bytes, schedule.window(step) > 0);
    if (!step.is_message()) load.add_local(rank, bytes);
  }
}

// Messages of many buffer ranges cost more to write than to simulate, also where the ranges become few.
constexpr std::int64_t pieces_like_a_step = 4;
constexpr std::int64_t joined_like_a_step = 64;

// A message over a detour becomes segments on two hops, at most so many messages.
constexpr std::int64_t forwarded = 4;

// Estimates a plan's messages from the schedules of the root, which may have far more steps than other ranks, and of a
// few other ranks. Stops once the estimate exceeds `most`.
std::int64_t messages_of(const Plan& plan, std::int64_t most, bool detours) {
  constexpr int most_others = 6;
  const Request& request = plan.request();
  const int others = request.ranks - 1;
  const auto steps = [&](Rank rank) {
    const Schedule schedule = plan.direct(rank, request);
    const auto count = static_cast<std::int64_t>(schedule.size());
    const auto pieces = static_cast<std::int64_t>(schedule.parts().pieces.size());
    return count + std::max<std::int64_t>(pieces - 2 * count, 0) / pieces_like_a_step +
           schedule.parts().joined / joined_like_a_step;
  };
  const int looked_at = std::min(others, most_others);
  const std::int64_t of_root = steps(request.root);
  std::int64_t sum = 0;
  const auto all = [&] {
    return (of_root + (looked_at == 0 ? 0 : sum * others / looked_at)) * (detours ? forwarded : 1) / 2;
  };
  for (int i = 0; i < looked_at && all() <= most; ++i) {
    const auto further = static_cast<Rank>(1 + std::int64_t{i} * others / looked_at);
    sum += steps((request.root + further) % request.ranks);
  }
  return all();
}

std::int64_t messages_of(const Plan& plan, std::int64_t most) {
  return messages_of(plan, most, !plan.parameters().detours.empty());
}

// Elements of a segment; all where the vector is whole.
std::int64_t segment_elements(const Plan& plan) {
  const Request& request = plan.request();
  const Bytes segment = plan.parameters().segment_bytes;
  const bool cut = sizes(request.operation) == Sizes::vector && segment > 0;
  return cut ? std::max<Bytes>(segment / request.element_bytes, 1) : request.count;
}

// Rounds beyond one per segment (Algorithm::filling).
std::int64_t filling_of(const Plan& plan) {
  const Algorithm& algorithm = plan.algorithm();
  return algorithm.filling == nullptr ? 0 : std::max(algorithm.filling(plan.request()), 0);
}

// Largest window of all links, long links included.
std::int64_t largest_window(const Parameters& parameters) {
  std::int64_t further = 0;
  if (parameters.window > 0 && !parameters.trees.empty()) {
    for (const MappedTrees::Weighted& each : parameters.trees.all()) {
      for (const Bytes bytes : each.long_links) further = std::max(further, bytes / parameters.segment_bytes);
    }
  }
  return parameters.window + further;
}

// The simulated part of a plan with many segments.
struct Cut {
  std::int64_t segments = 0;
  std::int64_t messages = 0;  // estimated total of simulated messages
};

// Chooses a multiple of the period (of two periods if look.steady), unless too expensive.
Cut cut_of(const Plan& plan, const Fidelity& look, std::int64_t segments, Bytes elements) {
  const Algorithm& algorithm = plan.algorithm();
  const std::int64_t filling = filling_of(plan);
  const std::int64_t period =
      algorithm.period == nullptr ? filling + 1 : std::max(algorithm.period(plan.request(), plan.parameters()), 1);
  // A pipeline shared by several trees fills later.
  std::int64_t least = look.steady && algorithm.period != nullptr ? 4 * look.segments : look.segments;
  // A window has an effect only once full, also in the simulation of half the segments.
  // With one message of a rank in each round a window is full after as many rounds.
  const std::int64_t window = largest_window(plan.parameters()) + 1;
  const std::int64_t full = !look.steady ? 0 : 2 * (filling > 0 ? filling + window : period * window);
  least = std::max(least, full);
  const std::int64_t unit = look.steady ? 2 * period : period;
  const std::int64_t wanted = (least + unit - 1) / unit * unit;
  Request some = plan.request();
  const std::int64_t sampled = std::min(std::max<std::int64_t>(period, 2), segments);
  some.count = sampled * elements;
  const std::int64_t each =
      std::max<std::int64_t>(messages_of(Plan(std::move(some), algorithm, plan.parameters()), never) / sampled, 1);
  if (segments <= wanted && segments * each <= look.messages) return {segments, segments * each};
  // Over detours segments of different trees hold each other up at relays, the longer the more.
  const bool piles_up = look.steady && !plan.parameters().detours.empty();
  if (piles_up && segments * each <= forwarded * look.whole) return {segments, segments * each};
  // The simulation of half the segments counts too.
  const std::int64_t most = look.steady ? look.messages / each / 3 * 2 : look.messages / each;
  const std::int64_t few = std::min({segments, wanted, std::max<std::int64_t>(most, 2)});
  if (few < std::min(full, segments)) {
    if (segments * each <= look.whole) return {segments, segments * each};
    // Windows that are not full delay nothing, and a pipeline looks as fast as its links.
    const std::int64_t filled = (full + unit - 1) / unit * unit;
    const std::int64_t with_half = (filled + filled / 2) * each;
    if (filled < segments && with_half <= look.whole) return {filled, with_half};
  }
  return {few, (look.steady ? few + few / 2 : few) * each};
}

// The schedules of all ranks for a vector of `count` elements; none once `load`, if there is one, is beyond its limit.
std::vector<Schedule> schedules_of(const Plan& plan, std::int64_t count, Load* load = nullptr) {
  Request request = plan.request();
  request.count = count;
  const Plan some(std::move(request), plan.algorithm(), plan.parameters());
  const int ranks = some.request().ranks;
  const auto beyond = [&](Rank rank, const Schedule& schedule) {
    if (load != nullptr) add(*load, rank, schedule, some.request().element_bytes);
    return load != nullptr && load->beyond();
  };
  const bool detours = !plan.parameters().detours.empty();
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < ranks; ++rank) {
    schedules.push_back(some.direct(rank, some.request()));
    if (!detours && beyond(rank, schedules.back())) return {};
  }
  if (!detours) return schedules;
  schedules = some.with_detours(std::move(schedules));
  for (Rank rank = 0; rank < ranks; ++rank) {
    if (beyond(rank, schedules[static_cast<std::size_t>(rank)])) return {};
  }
  return schedules;
}

// A time for which the busiest of processors, ports and links is busy, and with how many elements.
struct Growth {
  Picoseconds busy = 0;
  std::int64_t elements = 0;
};

// The load of one segment in each of several trees with shares; none for other plans.
std::optional<Growth> growth_over_trees(const Plan& plan, const Model& model, std::int64_t count) {
  const MappedTrees& trees = plan.parameters().trees;
  if (plan.algorithm().mapped != Mapped::trees || trees.empty() || !plan.parameters().detours.empty())
    return std::nullopt;
  const std::int64_t period = std::min(trees.period() * segment_elements(plan), plan.request().count);
  if (period <= count) return std::nullopt;
  Request some = plan.request();
  some.count = period;
  Load load(some.ranks, model, never);
  const std::vector<Share> shares = shares_over_trees(trees, some, plan.parameters());
  add(load, Plan(std::move(some), plan.algorithm(), plan.parameters()), shares);
  return Growth{load.heaviest(), period};
}

// How the load grows with the vector: all of it, or what `count` elements take beyond `less` where filling a pipeline
// is part of it. Of trees with shares, not all of which the `count` elements use, one segment in each.
Growth growth(const Plan& plan, const Model& model, const Load& load, std::int64_t count, std::int64_t less) {
  if (const auto over_trees = growth_over_trees(plan, model, count)) return *over_trees;
  if (filling_of(plan) == 0) return {load.heaviest(), count};
  Load before(plan.request().ranks, model, never);
  schedules_of(plan, less, &before);
  return {load.heaviest() - before.heaviest(), count - less};
}

std::int64_t most_of(const SearchBudget* budget, int ranks) {
  const SearchBudget fresh;
  const SearchBudget& from = budget == nullptr ? fresh : *budget;
  return std::min(from.left, from.most * SearchBudget::times(ranks));
}

bool spend(std::int64_t messages, SearchBudget* budget, int ranks) {
  if (messages > most_of(budget, ranks)) return false;
  if (budget != nullptr) budget->left -= messages;
  return true;
}

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
  Load load(request.ranks, model, never);
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
  Load load(request.ranks, model, never);
  for (const RegularRounds& each : plan.algorithm().regular(request, plan.parameters())) {
    if (each.distance == 0) return std::nullopt;
    for (int place = 0; place < request.ranks; ++place) {
      const Rank to = places.rank((place + each.distance) % request.ranks);
      load.add_message(places.rank(place), to, each.sent * request.element_bytes, false);
    }
  }
  return load.heaviest();
}

// The time of a plan of too many messages to simulate; none for other algorithms, and where even weighing them takes
// too long.
std::optional<Picoseconds> time_by_load(const Plan& plan, const Model& model, SearchBudget* budget) {
  const Request& request = plan.request();
  const Algorithm& algorithm = plan.algorithm();
  if (plan.learns() || !plan.parameters().detours.empty()) return std::nullopt;
  const auto with_latencies = [&](Picoseconds busy, std::int64_t in_a_row) {
    return plus(busy, static_cast<Picoseconds>(std::min<Wide>(Wide{in_a_row} * model.longest_latency(), never)));
  };
  if (algorithm.regular != nullptr) {
    const auto rounds = std::ssize(algorithm.regular(request, plan.parameters()));
    if (rounds == 0 || !spend(rounds * request.ranks / weighed_for_one, budget, request.ranks)) return std::nullopt;
    const auto busy = heaviest_of_rounds(plan, model);
    return busy ? std::optional(with_latencies(*busy, rounds)) : std::nullopt;
  }
  if (algorithm.in_a_row == nullptr) return std::nullopt;
  const std::int64_t most = most_of(budget, request.ranks) * weighed_for_one;
  Picoseconds busy = 0;
  const bool whole = sizes(request.operation) == Sizes::exchange || plan.parameters().segment_bytes == 0;
  const bool direct = whole && !algorithm.is_mapped() && algorithm.in_a_row(request, plan.parameters()) == 1;
  if (direct) {
    const std::int64_t some = std::min(most, std::int64_t{1} << 21);
    if (!spend(some / weighed_for_one, budget, request.ranks)) return std::nullopt;
    busy = heaviest_of_distances(request, model, some);
  } else {
    const std::int64_t messages = messages_of(plan, most);
    if (!spend(messages / weighed_for_one, budget, request.ranks)) return std::nullopt;
    Load load(request.ranks, model, never);
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      add(load, rank, plan.schedule(rank, request), request.element_bytes);
    }
    busy = load.heaviest();
  }
  return with_latencies(busy, algorithm.in_a_row(request, plan.parameters()));
}

// The time of many trees with a part of a vector each, of too many messages for a quick look: the load of the busiest,
// and the time of the first tree by itself. The root of all trees first sends, or last receives, all parts, which share
// its link and so arrive together. None for other plans.
std::optional<Picoseconds> time_of_trees(const Plan& plan, const Model& model, SearchBudget* budget) {
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  const bool whole = parameters.segment_bytes == 0 && parameters.detours.empty();
  if (plan.algorithm().mapped != Mapped::trees || parameters.trees.empty() || !whole) return std::nullopt;
  const std::int64_t messages = std::int64_t{parameters.trees.size()} * request.ranks;
  if (!spend(messages / weighed_for_one + request.ranks, budget, request.ranks)) return std::nullopt;
  const std::vector<Share> shares = shares_over_trees(parameters.trees, request, parameters);
  if (shares.empty()) return std::nullopt;
  Load load(request.ranks, model, never);
  add(load, plan, shares);
  Request one = request;
  one.count = shares.front().count;
  Parameters alone = parameters;
  alone.trees = MappedTrees(parameters.trees.name(), parameters.trees.tree(shares.front().tree));
  const Picoseconds deep = makespan(Plan(std::move(one), plan.algorithm(), std::move(alone)), model, Sharing::queued);
  const Picoseconds of_root = is_rooted(request.operation) ? load.of(request.root) : 0;
  return plus(plus(load.heaviest(), deep), of_root);
}

// The time of a plan without a simulation, where one would take too many messages and algorithm and mapping are of a
// kind for which that is known; none for others.
std::optional<Picoseconds> time_unsimulated(const Plan& plan, const Model& model, const Fidelity& look, const Cut& cut,
                                            bool is_whole, SearchBudget* budget) {
  if (!is_whole || cut.messages > look.messages) {
    if (const auto time = time_in_rounds(plan, model)) return time;
  }
  if (look.sharing == Sharing::queued && cut.messages > look.over_trees) {
    if (const auto time = time_of_trees(plan, model, budget)) return time;
  }
  if (cut.messages > most_of(budget, plan.request().ranks)) return time_by_load(plan, model, budget);
  return std::nullopt;
}

Picoseconds simulated(const std::vector<Schedule>& schedules, const Plan& plan, const Model& model,
                      const Fidelity& look) {
  return makespan(schedules, plan.request().element_bytes, model, {}, look.sharing, look.limit);
}

// The time of all messages of a plan.
Picoseconds time_of_whole(const Plan& plan, const Model& model, const Fidelity& look) {
  Load load(plan.request().ranks, model, look.limit);
  const auto schedules = schedules_of(plan, plan.request().count, look.limit == never ? nullptr : &load);
  return load.beyond() ? never : simulated(schedules, plan, model, look);
}

// The time of a pipeline of which the first `cut.segments` segments are simulated, and half of them too if look.steady:
// the others take what the second half takes, or what the busiest processor, port or link takes for them.
Picoseconds extrapolated(const Plan& plan, const Model& model, const Fidelity& look, const Cut& cut,
                         std::int64_t segments, SearchBudget* budget) {
  const Request& request = plan.request();
  const std::int64_t elements = segment_elements(plan);
  const std::int64_t count = cut.segments * elements;
  const Wide once = Wide{filling_of(plan)} * elements;  // the load of filling a pipeline does not grow with the vector
  const Wide most = look.limit == never ? look.limit : Wide{look.limit} * (count + once) / (request.count + once);
  Load load(request.ranks, model, static_cast<Picoseconds>(most));
  const std::vector<Schedule> schedules = schedules_of(plan, count, &load);
  if (load.beyond()) return never;
  Picoseconds all = simulated(schedules, plan, model, look);
  if (all == never) return never;
  const auto time_of = [&](std::int64_t some) {
    return simulated(schedules_of(plan, some * elements), plan, model, look);
  };
  const auto [heaviest, loaded] = growth(plan, model, load, count, cut.segments / 2 * elements);
  std::int64_t few = cut.segments;
  std::int64_t half_of_few = few / 2;
  Picoseconds half = look.steady ? time_of(half_of_few) : all;
  const auto sum = [&] {
    const Wide rest = request.count - few * elements;
    // The final bottleneck may be hidden at first, behind longer routes with less data.
    const Wide further = std::max((all - half) * rest / (static_cast<Wide>(few - half_of_few) * elements),
                                  Wide{heaviest} * rest / loaded);
    return plus(all, static_cast<Picoseconds>(std::clamp<Wide>(further, 0, never)));
  };
  // A pipeline is not full before its first segment has gone all the way, so that in a long one not all messages that
  // share a link have met yet.
  const std::int64_t each = std::max<std::int64_t>(cut.messages / (few + few / 2), 1);
  const auto may_double = [&] { return look.steady && 2 * few < segments && 2 * few * each <= look.messages; };
  const Picoseconds first = may_double() && spend(each, budget, request.ranks) ? time_of(1) : 0;
  while (all - half < first && sum() <= look.limit && may_double() && spend(2 * few * each, budget, request.ranks)) {
    half = std::exchange(all, time_of(2 * few));
    half_of_few = std::exchange(few, 2 * few);
    if (all == never) return never;
  }
  const Picoseconds last = sum();
  return last <= look.limit ? last : never;
}

}  // namespace

bool affords_detours(const Plan& direct, const SearchBudget& budget) {
  const std::int64_t most = most_of(&budget, direct.request().ranks);
  return messages_of(direct, most, true) <= most;
}

Picoseconds pipeline_time(const Plan& plan, const Model& model, const Fidelity& look, SearchBudget* budget) {
  const Request& request = plan.request();
  // No steps, which to find out would take the square of the ranks.
  if (sizes(request.operation) == Sizes::exchange && request.exchange.is_equal() && request.exchange.largest() == 0)
    return 0;
  const std::int64_t elements = segment_elements(plan);
  const std::int64_t segments = request.count <= elements ? 1 : (request.count + elements - 1) / elements;
  const Cut cut = segments == 1 ? Cut{1, messages_of(plan, most_of(budget, request.ranks))}
                                : cut_of(plan, look, segments, elements);
  const bool is_whole = cut.segments >= segments;
  if (const auto time = time_unsimulated(plan, model, look, cut, is_whole, budget)) {
    return *time <= look.limit ? *time : never;
  }
  if (!spend(cut.messages, budget, request.ranks)) return never;
  if (plan.learns()) return makespan(plan, model, look.sharing, look.limit);
  return is_whole ? time_of_whole(plan, model, look) : extrapolated(plan, model, look, cut, segments, budget);
}

}  // namespace tombolo
