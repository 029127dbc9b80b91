#include <algorithm>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/predict.hpp>

namespace tombolo {

namespace {

// Segments that are simulated at most. Once a pipeline is full, each further one takes as long as the one before. Where
// ranks take turns it is full when all have had two.
std::int64_t most_segments(const Request& request, const Algorithm& algorithm) {
  constexpr std::int64_t most = 24;
  return algorithm.weighs ? std::max<std::int64_t>(most, 2 * std::int64_t{request.ranks}) : most;
}

Picoseconds predicted(Request request, const Algorithm& algorithm, const Parameters& parameters, const Model& model) {
  const auto of = [&](std::int64_t count) {
    request.count = count;
    return predict(Plan(request, algorithm, parameters), model).makespan;
  };
  const std::int64_t segment =
      parameters.segment_bytes > 0 ? std::max<Bytes>(parameters.segment_bytes / request.element_bytes, 1) : 0;
  const std::int64_t most = most_segments(request, algorithm) * segment;
  const std::int64_t further = request.count - most;
  if (segment == 0 || further <= 0) return of(request.count);
  const Picoseconds all = of(most);
  const Picoseconds half = of(most / 2);
  // Of 128 bits, for the product.
  __extension__ using Wide = __int128;
  return plus(all,
              static_cast<Picoseconds>(std::min<Wide>(static_cast<Wide>(all - half) * further / (most / 2), never)));
}

// Predictions that differ by less than one part in so many say nothing.
constexpr Picoseconds alike = 100;

// The average block of an operation on blocks that the root has, 0 for any other.
Bytes block_bytes(const Request& request) {
  const Blocks& blocks = request.blocks;
  return blocks.size() == 0 || !blocks.all_known() ? 0 : blocks.total() / blocks.size() * request.element_bytes;
}

}  // namespace

std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request, const Model& model,
                                     const Thresholds* thresholds, Effort effort) {
  std::vector<Candidate> all;
  // Only the root knows whether it works in place, so that must not decide what all ranks choose.
  const Request judged = request.with_in_place(false);
  const auto throttle = thresholds == nullptr ? std::nullopt : throttle_for(*thresholds, judged);
  if (algorithm.throttles && !throttle) return all;
  const Picoseconds escalation = throttle && &algorithm == &gatherv_flat ? throttle->escalation : 0;
  const auto best_of = [&](Bytes segment, Bytes message) {
    Picoseconds least = never;
    for (Parameters parameters : variants(request, algorithm, model, message, effort)) {
      parameters.segment_bytes = segment;
      if (algorithm.throttles) parameters.window = throttle->window;
      const Picoseconds time = plus(predicted(judged, algorithm, parameters, model), escalation);
      all.push_back({Plan(request, algorithm, parameters), time});
      least = std::min(least, time);
    }
    return least;
  };
  Picoseconds least = best_of(0, block_bytes(request));
  if (!algorithm.segments) return all;
  // Too long are the first to wait for, too many cost latency: between them there is one minimum.
  int worse = 0;
  for (const Bytes segment : segment_sizes(request, model)) {
    const Picoseconds now = best_of(segment, segment);
    worse = now > least ? worse + 1 : 0;
    least = std::min(least, now);
    if (worse == 3) break;
  }
  return all;
}

std::vector<Candidate> candidates(const Request& request, const ModelFor& model_for, const Thresholds* thresholds) {
  std::vector<Candidate> all;
  for (const Algorithm* algorithm : algorithms_for(request)) {
    if (request.knowledge == Knowledge::as_in_mpi) {
      if (algorithm->learn == nullptr) return {{Plan(request, *algorithm), 0}};
      continue;
    }
    const Model& model = model_for(request.with_in_place(false), *algorithm);
    const auto some = candidates_of(*algorithm, request, model, thresholds, Effort::usual);
    all.insert(all.end(), some.begin(), some.end());
  }
  const auto faster = [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; };
  const Picoseconds best = std::min_element(all.begin(), all.end(), faster)->predicted;
  const auto simplest =
      std::find_if(all.begin(), all.end(), [best](const Candidate& c) { return c.predicted - best <= best / alike; });
  std::iter_swap(all.begin(), simplest);
  std::stable_sort(all.begin() + 1, all.end(), faster);
  return all;
}

std::vector<Candidate> candidates(const Request& request, const Model& model, const Thresholds* thresholds) {
  const auto same = [&model](const Request&, const Algorithm&) -> const Model& { return model; };
  return candidates(request, same, thresholds);
}

Plan choose(const Request& request, const Model& model, const Thresholds* thresholds) {
  return candidates(request, model, thresholds).front().plan;
}

}  // namespace tombolo
