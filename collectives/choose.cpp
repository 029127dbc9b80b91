#include <algorithm>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/predict.hpp>

namespace tombolo {

namespace {

// What a prediction may cost: the steps of all ranks together, some hundred nanoseconds each.
constexpr std::int64_t most_steps = 1 << 18;

// Powers of two from 4 KiB on that cut the vector in at least two and in no more segments than can be simulated.
std::vector<Bytes> segment_sizes(const Request& request, const Algorithm& algorithm) {
  std::vector<Bytes> sizes{0};
  if (!algorithm.segments) return sizes;
  const Bytes bytes = request.count * request.element_bytes;
  for (Bytes segment = 4096; segment < bytes; segment *= 2) {
    if (segment < request.element_bytes) continue;  // an element is not cut
    if (bytes / segment <= most_steps / 2 / request.ranks) sizes.push_back(segment);
  }
  return sizes;
}

// How many segments keep a link busy: what is on its way while one is acknowledged, one being sent and one in reserve.
// More would share the link with one another and all arrive late.
int window(const Request& request, const Model& model, Bytes segment) {
  if (segment == 0 || request.ranks < 2) return 0;
  const auto time = [&](Bytes bytes) {
    const MessageCost cost = model.message(0, 1, bytes);
    return plus(std::max(cost.send, cost.receive), cost.transit);
  };
  const Picoseconds latency = time(0);
  const Picoseconds busy = std::max<Picoseconds>(time(segment) - latency, 1);
  constexpr Picoseconds most = 1 << 16;
  return static_cast<int>(2 + std::min((latency + busy - 1) / busy, most));
}

}  // namespace

std::vector<Candidate> candidates(const Request& request, const Model& model) {
  std::vector<Candidate> all;
  // Only the root knows whether it works in place, so that must not decide what all ranks choose.
  const Request judged = request.with_in_place(false);
  for (const Algorithm* algorithm : algorithms_for(request.operation)) {
    if (request.knowledge == Knowledge::as_in_mpi) {
      if (algorithm->learn == nullptr) return {{Plan(request, *algorithm), 0}};
      continue;
    }
    for (const Bytes segment : segment_sizes(request, *algorithm)) {
      const Parameters parameters{.segment_bytes = segment, .window = window(request, model, segment)};
      const Picoseconds makespan = predict(Plan(judged, *algorithm, parameters), model).makespan;
      all.push_back({Plan(request, *algorithm, parameters), makespan});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; });
  return all;
}

Plan choose(const Request& request, const Model& model) {
  return candidates(request, model).front().plan;
}

}  // namespace tombolo
