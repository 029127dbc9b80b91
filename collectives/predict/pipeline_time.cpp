#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/predict/load.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/collectives/predict/unsimulated.hpp>

namespace tombolo {

namespace {

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
  if (piles_up && segments * each <= messages_per_detour * look.whole) return {segments, segments * each};
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
    if (load != nullptr) load->add(rank, schedule, some.request().element_bytes);
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
  Load load(some.ranks, model);
  const std::vector<Share> shares = shares_over_trees(trees, some, plan.parameters());
  load.add(Plan(std::move(some), plan.algorithm(), plan.parameters()), shares);
  return Growth{load.heaviest(), period};
}

// How the load grows with the vector: all of it, or what `count` elements take beyond `less` where filling a pipeline
// is part of it. Of trees with shares, not all of which the `count` elements use, one segment in each.
Growth growth(const Plan& plan, const Model& model, const Load& load, std::int64_t count, std::int64_t less) {
  if (const auto over_trees = growth_over_trees(plan, model, count)) return *over_trees;
  if (filling_of(plan) == 0) return {load.heaviest(), count};
  Load before(plan.request().ranks, model);
  schedules_of(plan, less, &before);
  return {load.heaviest() - before.heaviest(), count - less};
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
                         std::int64_t segments, SearchBudget& budget) {
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
  const Picoseconds first = may_double() && budget.spend(each, request.ranks) ? time_of(1) : 0;
  while (all - half < first && sum() <= look.limit && may_double() && budget.spend(2 * few * each, request.ranks)) {
    half = std::exchange(all, time_of(2 * few));
    half_of_few = std::exchange(few, 2 * few);
    if (all == never) return never;
  }
  const Picoseconds last = sum();
  return last <= look.limit ? last : never;
}

}  // namespace

Picoseconds pipeline_time(const Plan& plan, const Model& model, const Fidelity& look, SearchBudget* given) {
  const Request& request = plan.request();
  // No steps, which to find out would take the square of the ranks.
  if (sizes(request.operation) == Sizes::exchange && request.exchange.is_equal() && request.exchange.largest() == 0)
    return 0;
  SearchBudget fresh;
  SearchBudget& budget = given == nullptr ? fresh : *given;
  const std::int64_t elements = segment_elements(plan);
  const std::int64_t segments = request.count <= elements ? 1 : (request.count + elements - 1) / elements;
  const Cut cut = segments == 1 ? Cut{1, messages_of(plan, budget.affordable(request.ranks))}
                                : cut_of(plan, look, segments, elements);
  const bool is_whole = cut.segments >= segments;
  if (const auto time = time_unsimulated(plan, model, look, cut.messages, is_whole, budget)) {
    return *time <= look.limit ? *time : never;
  }
  if (!budget.spend(cut.messages, request.ranks)) return never;
  if (plan.learns()) return makespan(plan, model, look.sharing, look.limit);
  return is_whole ? time_of_whole(plan, model, look) : extrapolated(plan, model, look, cut, segments, budget);
}

}  // namespace tombolo
