#include <algorithm>
#include <utility>
#include <vector>

#include <tombolo/collectives/load.hpp>
#include <tombolo/collectives/pipeline_time.hpp>

namespace tombolo {

namespace {

// Of 128 bits, for products.
__extension__ using Wide = __int128;

// Messages of many pieces cost more to write down than to simulate.
constexpr std::int64_t pieces_like_a_step = 4;

// From the schedules of the root, which may have far more to do than any other, and of a few others; about, and no more
// are written than show that it is more than `most`.
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

// Of the link with most messages under way at a time.
std::int64_t largest_window(const Parameters& parameters) {
  std::int64_t further = 0;
  if (parameters.window > 0 && !parameters.trees.empty()) {
    for (const MappedTrees::Weighted& each : parameters.trees.all()) {
      for (const Bytes bytes : each.long_links) further = std::max(further, bytes / parameters.segment_bytes);
    }
  }
  return parameters.window + further;
}

// What is simulated of a plan that has so many segments.
struct Cut {
  std::int64_t segments = 0;
  std::int64_t messages = 0;  // all that are simulated, about
};

// Whole periods, where that is not too much, and an even number.
Cut cut_of(const Plan& plan, const Look& look, std::int64_t segments, Bytes elements) {
  const Algorithm& algorithm = plan.algorithm();
  const std::int64_t period =
      algorithm.period == nullptr ? 1 : std::max(algorithm.period(plan.request(), plan.parameters()), 1);
  // Where several trees share a pipeline, it is full later.
  std::int64_t least = look.steady && algorithm.period != nullptr ? 4 * look.segments : look.segments;
  // A window holds nothing up before it is full, which must show in the half too.
  if (look.steady) least = std::max(least, 2 * period * (largest_window(plan.parameters()) + 1));
  const std::int64_t unit = look.steady ? 2 * period : period;
  const std::int64_t wanted = (least + unit - 1) / unit * unit;
  Request some = plan.request();
  const std::int64_t sampled = std::min(std::max<std::int64_t>(period, 2), segments);
  some.count = sampled * elements;
  const std::int64_t each =
      std::max<std::int64_t>(messages_of(Plan(std::move(some), algorithm, plan.parameters()), never) / sampled, 1);
  if (segments <= wanted && segments * each <= look.messages) return {segments, segments * each};
  // The half that is subtracted is simulated too.
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

Picoseconds pipeline_time(const Plan& plan, const Model& model, const Look& look, SearchBudget* budget) {
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  const bool cut = sizes(request.operation) == Sizes::vector && parameters.segment_bytes > 0;
  const std::int64_t elements =
      cut ? std::max<Bytes>(parameters.segment_bytes / request.element_bytes, 1) : request.count;
  if (request.count <= elements) {
    return spend(messages_of(plan, most_of(budget)), budget)
               ? predict(plan, model, {}, look.sharing, look.limit).makespan
               : never;
  }
  const std::int64_t segments = (request.count + elements - 1) / elements;
  const auto [few, messages] = cut_of(plan, look, segments, elements);
  if (!spend(messages, budget)) return never;
  if (few >= segments) return predict(plan, model, {}, look.sharing, look.limit).makespan;
  const auto time = [&](std::span<const Schedule> schedules) {
    return predict(schedules, request.element_bytes, model, {}, look.sharing, look.limit).makespan;
  };
  const std::vector<Schedule> schedules = schedules_of(plan, few * elements);
  const Picoseconds all = time(schedules);
  if (all == never) return never;
  const Picoseconds half = look.steady ? time(schedules_of(plan, few / 2 * elements)) : all;
  // What is slowest in the end may be hidden at first, behind longer ways that less goes over.
  const Picoseconds load = heaviest_load(schedules, request.element_bytes, model);
  const Wide rest = request.count - few * elements;
  const Wide further = std::max((all - half) * rest / (static_cast<Wide>(few - few / 2) * elements),
                                load * rest / (static_cast<Wide>(few) * elements));
  const Picoseconds whole = plus(all, static_cast<Picoseconds>(std::clamp<Wide>(further, 0, never)));
  return whole <= look.limit ? whole : never;
}

}  // namespace tombolo
