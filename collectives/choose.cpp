#include <algorithm>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/predict.hpp>

namespace tombolo {

namespace {

// Segments that are simulated at most. Once a pipeline is full, each further one takes as long as the one before.
constexpr std::int64_t most_segments = 24;

Picoseconds predicted(Request request, const Algorithm& algorithm, const Parameters& parameters, const Model& model) {
  const auto of = [&](std::int64_t count) {
    request.count = count;
    return predict(Plan(request, algorithm, parameters), model).makespan;
  };
  const std::int64_t segment =
      parameters.segment_bytes > 0 ? std::max<Bytes>(parameters.segment_bytes / request.element_bytes, 1) : 0;
  const std::int64_t most = most_segments * segment;
  const std::int64_t further = request.count - most;
  if (segment == 0 || further <= 0) return of(request.count);
  const Picoseconds all = of(most);
  const Picoseconds half = of(most / 2);
  // Of 128 bits, for the product.
  __extension__ using Wide = __int128;
  return plus(all,
              static_cast<Picoseconds>(std::min<Wide>(static_cast<Wide>(all - half) * further / (most / 2), never)));
}

// Powers of two that cut the vector in at least two, the largest first, down to 4 KiB.
std::vector<Bytes> segment_sizes(const Request& request) {
  std::vector<Bytes> sizes;
  const Bytes bytes = request.count * request.element_bytes;
  constexpr Bytes smallest = 4096;
  const Bytes least = std::max(smallest, request.element_bytes);  // an element is not cut
  for (Bytes segment = Bytes{1} << 60; segment >= least; segment /= 2) {
    if (segment < bytes) sizes.push_back(segment);
  }
  return sizes;
}

// Predictions that differ by less than one part in so many say nothing.
constexpr Picoseconds alike = 100;

// How many messages of that size keep a link busy: those on their way while one is acknowledged, one being sent and one
// in reserve. More would share the link with one another, and all arrive late.
int window(const Request& request, const Model& model, Bytes message) {
  if (message == 0 || request.ranks < 2) return 0;
  const auto time = [&](Bytes bytes) { return message_time(model, 0, 1, bytes); };
  const Picoseconds busy = std::max<Picoseconds>(time(message) - time(0), 1);
  const Picoseconds latency = model.longest_latency();
  constexpr Picoseconds most = 1 << 16;
  return static_cast<int>(2 + std::min((latency + busy - 1) / busy, most));
}

// The average block of an operation on blocks that the root has, 0 for any other.
Bytes block_bytes(const Request& request) {
  const Blocks& blocks = request.blocks;
  return blocks.size() == 0 || !blocks.all_known() ? 0 : blocks.total() / blocks.size() * request.element_bytes;
}

}  // namespace

std::vector<Candidate> candidates(const Request& request, const ModelFor& model_for, const Thresholds* thresholds) {
  std::vector<Candidate> all;
  // Only the root knows whether it works in place, so that must not decide what all ranks choose.
  const Request judged = request.with_in_place(false);
  const auto throttle = thresholds == nullptr ? std::nullopt : throttle_for(*thresholds, judged);
  for (const Algorithm* algorithm : algorithms_for(request.operation)) {
    if (request.knowledge == Knowledge::as_in_mpi) {
      if (algorithm->learn == nullptr) return {{Plan(request, *algorithm), 0}};
      continue;
    }
    if (algorithm->throttles && !throttle) continue;
    const Model& model = model_for(judged, *algorithm);
    const auto consider = [&](const Parameters& parameters) {
      all.push_back({Plan(request, *algorithm, parameters), predicted(judged, *algorithm, parameters, model)});
      return all.back().predicted;
    };
    Picoseconds least =
        consider({.window = algorithm->throttles ? throttle->window : window(request, model, block_bytes(request))});
    if (throttle && algorithm == &gatherv_flat) all.back().predicted = plus(all.back().predicted, throttle->escalation);
    if (!algorithm->segments) continue;
    // Too long are the first to wait for, too many cost latency: between them there is one minimum.
    int worse = 0;
    for (const Bytes segment : segment_sizes(request)) {
      const Picoseconds now = consider({.segment_bytes = segment, .window = window(request, model, segment)});
      worse = now > least ? worse + 1 : 0;
      least = std::min(least, now);
      if (worse == 3) break;
    }
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
