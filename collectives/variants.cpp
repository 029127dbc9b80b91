#include <algorithm>
#include <limits>

#include <tombolo/collectives/variants.hpp>

namespace tombolo {

namespace {

constexpr Bytes smallest_segment = 1024;

std::vector<int> radices(const Request& request, const Algorithm& algorithm, Effort effort) {
  std::vector<int> all{0};
  if (algorithm.radix == 0 || effort == Effort::usual) return all;
  const auto tried =
      effort == Effort::some ? std::vector<int>{2, 3, 4, 8, 16} : std::vector<int>{2, 3, 4, 5, 6, 8, 12, 16, 24, 32};
  for (const int radix : tried) {
    if (radix != algorithm.radix && radix < request.ranks) all.push_back(radix);
  }
  return all;
}

std::vector<int> delays(const Algorithm& algorithm, const Model& model, Bytes message, Effort effort) {
  if (!algorithm.timed) return {0};
  const int measured = delay(model, message);
  if (effort != Effort::thorough) return {measured};
  std::vector<int> all{measured};
  for (const int further : {measured - 1, measured + 1, measured + 2}) {
    if (further >= 1) all.push_back(further);
  }
  return all;
}

}  // namespace

Bytes eager_limit(const Model& model) {
  const auto eager = [&model](Bytes bytes) { return !model.message(0, 1, bytes).synchronous; };
  Bytes low = 0;
  Bytes high = Bytes{1} << 30;
  if (!eager(low)) return 0;
  if (eager(high)) return std::numeric_limits<Bytes>::max();
  while (high - low > 1) {
    const Bytes middle = low + (high - low) / 2;
    (eager(middle) ? low : high) = middle;
  }
  return low;
}

std::vector<Bytes> segment_sizes(const Request& request, const Model& model) {
  std::vector<Bytes> sizes;
  if (request.ranks < 2 || (request.blocks.size() > 0 && !request.blocks.all_known())) return sizes;
  const Bytes vector = (request.blocks.size() > 0 ? request.blocks.total() : request.count) * request.element_bytes;
  // An element is not cut, and a block is cut in few: each of its segments is a message of its own.
  constexpr Bytes segments_of_block = 8;
  const Bytes block = request.blocks.size() > 0 ? vector / request.ranks : 0;
  const Bytes least = std::max({smallest_segment, request.element_bytes, block / segments_of_block});
  for (Bytes segment = Bytes{1} << 60; segment >= least; segment /= 2) {
    if (segment < vector) sizes.push_back(segment);
  }
  const Bytes eager = eager_limit(model);
  if (eager >= least && eager < vector) sizes.push_back(eager);
  std::sort(sizes.rbegin(), sizes.rend());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

int window(const Request& request, const Model& model, Bytes message) {
  if (message == 0 || request.ranks < 2) return 0;
  const auto time = [&](Bytes bytes) { return message_time(model, 0, 1, bytes); };
  const Picoseconds busy = std::max<Picoseconds>(time(message) - time(0), 1);
  const Picoseconds latency = model.longest_latency();
  constexpr Picoseconds most = 1 << 16;
  return static_cast<int>(2 + std::min((latency + busy - 1) / busy, most));
}

int delay(const Model& model, Bytes message) {
  const MessageCost cost = model.message(0, 1, message);
  const Picoseconds gap = std::max<Picoseconds>({cost.overhead, cost.send, cost.receive, cost.receive_overhead, 1});
  constexpr Picoseconds most = 1 << 10;
  return static_cast<int>(std::clamp<Picoseconds>((message_time(model, 0, 1, message) + gap - 1) / gap, 1, most));
}

std::vector<Parameters> variants(const Request& request, const Algorithm& algorithm, const Model& model, Bytes segment,
                                 Effort effort) {
  if (request.ranks < 2) return {{}};
  const int covering = window(request, model, segment);
  std::vector<Parameters> all;
  for (const int radix : radices(request, algorithm, effort)) {
    for (const int wait : delays(algorithm, model, segment, effort)) {
      all.push_back({.window = covering, .radix = radix, .delay = wait});
      if (effort == Effort::thorough && covering > 0) {
        all.push_back({.window = 0, .radix = radix, .delay = wait});
        all.push_back({.window = 2, .radix = radix, .delay = wait});
      }
      // What blocks and the segments of several trees have in common: a rank's link, to which many send at a time.
      const bool meets = sizes(request.operation) == Sizes::blocks || algorithm.period != nullptr;
      if (!meets || effort == Effort::usual) continue;
      for (const int several : {1, 4, 16}) {
        all.push_back({.window = several, .lanes = Lanes::per_rank, .radix = radix, .delay = wait});
      }
    }
  }
  return all;
}

}  // namespace tombolo
