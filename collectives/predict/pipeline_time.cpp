#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

namespace {

// Busy time of the busiest processor, port or network link over all steps (one schedule per rank): a lower bound of any
// prediction, and the time of a full pipeline.
Picoseconds heaviest_load(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model) {
  const std::size_t ranks = schedules.size();
  std::vector<Picoseconds> processors(ranks, 0);
  std::vector<Picoseconds> out(ranks, 0);
  std::vector<Picoseconds> in(ranks, 0);
  const Network* const network = model.network();
  std::vector<Bytes> bytes(network == nullptr ? 0 : network->rates().size(),
                           0);  // in units of 1 / Network::whole bytes
  Network::Route route;
  const auto add = [](Picoseconds& to, Picoseconds time) { to = plus(to, time); };
  for (std::size_t r = 0; r < ranks; ++r) {
    for (const Step& step : schedules[r].steps()) {
      if (step.kind == Step::Kind::receive) continue;
      if (step.kind != Step::Kind::send) {
        add(processors[r], model.local(step.count * element_bytes));
        continue;
      }
      const auto peer = static_cast<std::size_t>(step.peer);
      const MessageCost cost = model.message(static_cast<Rank>(r), step.peer, step.count * element_bytes);
      add(processors[r], cost.overhead);
      add(processors[peer], cost.receive_overhead);
      add(out[r], std::max(cost.overhead, cost.send));
      add(in[peer], cost.receive);
      if (network == nullptr || cost.flow.bytes == 0) continue;
      network->find_route(static_cast<Rank>(r), step.peer, route);
      for (const Network::Use& use : route.uses) {
        Bytes& sum = bytes[static_cast<std::size_t>(use.link)];
        sum = plus(sum, cost.flow.bytes * use.part);
      }
    }
  }
  Picoseconds heaviest = 0;
  for (const auto* const all : {&processors, &out, &in}) {
    for (const Picoseconds time : *all) heaviest = std::max(heaviest, time);
  }
  for (std::size_t link = 0; link < bytes.size(); ++link) {
    heaviest = std::max(heaviest, transfer_time(bytes[link] / Network::whole, network->rates()[link]));
  }
  return heaviest;
}

// 128 bits, for products.
__extension__ using Wide = __int128;

// Messages of many buffer ranges cost more to write than to simulate.
constexpr std::int64_t pieces_like_a_step = 4;

// Estimates a plan's messages from the schedules of the root, which may have far more steps than other ranks, and of a
// few other ranks. Stops once the estimate exceeds `most`.
std::int64_t messages_of(const Plan& plan, std::int64_t most) {
  constexpr int most_others = 6;
  const Request& request = plan.request();
  const int others = request.ranks - 1;
  const auto steps = [&](Rank rank) {
    const Schedule schedule = plan.schedule(rank, request);
    const auto count = static_cast<std::int64_t>(schedule.size());
    const auto pieces = static_cast<std::int64_t>(schedule.parts().pieces.size());
    return count + std::max<std::int64_t>(pieces - 2 * count, 0) / pieces_like_a_step;
  };
  const int looked_at = std::min(others, most_others);
  const std::int64_t of_root = steps(request.root);
  std::int64_t sum = 0;
  const auto all = [&] { return (of_root + (looked_at == 0 ? 0 : sum * others / looked_at)) / 2; };
  for (int i = 0; i < looked_at && all() <= most; ++i) {
    const auto further = static_cast<Rank>(1 + std::int64_t{i} * others / looked_at);
    sum += steps((request.root + further) % request.ranks);
  }
  return all();
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
  const std::int64_t period =
      algorithm.period == nullptr ? 1 : std::max(algorithm.period(plan.request(), plan.parameters()), 1);
  // A pipeline shared by several trees fills later.
  std::int64_t least = look.steady && algorithm.period != nullptr ? 4 * look.segments : look.segments;
  // A window has an effect only once full, also in the simulation of half the segments.
  if (look.steady) least = std::max(least, 2 * period * (largest_window(plan.parameters()) + 1));
  const std::int64_t unit = look.steady ? 2 * period : period;
  const std::int64_t wanted = (least + unit - 1) / unit * unit;
  Request some = plan.request();
  const std::int64_t sampled = std::min(std::max<std::int64_t>(period, 2), segments);
  some.count = sampled * elements;
  const std::int64_t each =
      std::max<std::int64_t>(messages_of(Plan(std::move(some), algorithm, plan.parameters()), never) / sampled, 1);
  if (segments <= wanted && segments * each <= look.messages) return {segments, segments * each};
  // The simulation of half the segments counts too.
  const std::int64_t most = look.steady ? look.messages / each / 3 * 2 : look.messages / each;
  const std::int64_t few = std::min({segments, wanted, std::max<std::int64_t>(most, 2)});
  if (look.steady && few < std::min(wanted, segments) && segments * each <= look.whole) {
    return {segments, segments * each};
  }
  return {few, (look.steady ? few + few / 2 : few) * each};
}

std::vector<Schedule> schedules_of(const Plan& plan, std::int64_t count) {
  Request request = plan.request();
  request.count = count;
  const Plan some(std::move(request), plan.algorithm(), plan.parameters());
  std::vector<Schedule> schedules;
  for (Rank rank = 0; rank < some.request().ranks; ++rank) schedules.push_back(some.schedule(rank, some.request()));
  return schedules;
}

std::int64_t most_of(const SearchBudget* budget) {
  return budget == nullptr ? SearchBudget{}.most : std::min(budget->left, budget->most);
}

bool spend(std::int64_t messages, SearchBudget* budget) {
  if (messages > most_of(budget)) return false;
  if (budget != nullptr) budget->left -= messages;
  return true;
}

}  // namespace

Picoseconds pipeline_time(const Plan& plan, const Model& model, const Fidelity& look, SearchBudget* budget) {
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  const bool cut = sizes(request.operation) == Sizes::vector && parameters.segment_bytes > 0;
  const std::int64_t elements =
      cut ? std::max<Bytes>(parameters.segment_bytes / request.element_bytes, 1) : request.count;
  if (request.count <= elements) {
    return spend(messages_of(plan, most_of(budget)), budget) ? makespan(plan, model, look.sharing, look.limit) : never;
  }
  const std::int64_t segments = (request.count + elements - 1) / elements;
  const auto [few, messages] = cut_of(plan, look, segments, elements);
  if (!spend(messages, budget)) return never;
  if (few >= segments) return makespan(plan, model, look.sharing, look.limit);
  const auto time = [&](std::span<const Schedule> schedules) {
    return makespan(schedules, request.element_bytes, model, {}, look.sharing, look.limit);
  };
  const std::vector<Schedule> schedules = schedules_of(plan, few * elements);
  const Picoseconds all = time(schedules);
  if (all == never) return never;
  const Picoseconds half = look.steady ? time(schedules_of(plan, few / 2 * elements)) : all;
  // The final bottleneck may be hidden at first, behind longer routes with less data.
  const Picoseconds load = heaviest_load(schedules, request.element_bytes, model);
  const Wide rest = request.count - few * elements;
  const Wide further = std::max((all - half) * rest / (static_cast<Wide>(few - few / 2) * elements),
                                load * rest / (static_cast<Wide>(few) * elements));
  const Picoseconds whole = plus(all, static_cast<Picoseconds>(std::clamp<Wide>(further, 0, never)));
  return whole <= look.limit ? whole : never;
}

}  // namespace tombolo
