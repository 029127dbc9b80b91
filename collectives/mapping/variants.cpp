#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <tombolo/collectives/mapping/variants.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr Bytes smallest_segment = 1024;
// Ranks track every message in flight.
constexpr Bytes most_segments = 512;
// Ranks that each may send to all others at once. Blocks, and data with a root, have algorithms of their own for that.
constexpr int most_at_once = 64;

bool has_blocks(const Request& request) {
  return sizes(request.operation) == Sizes::blocks;
}

bool exchanges(const Request& request) {
  return sizes(request.operation) == Sizes::exchange;
}

std::vector<int> radices(const Request& request, const Algorithm& algorithm, Bytes segment, Effort effort) {
  std::vector<int> all{0};
  if (algorithm.radix == 0 || effort == Effort::usual) return all;
  // With segments, the algorithm that sends everything through one rank has too many buffer ranges to predict.
  const bool carries_all = algorithm.least_radix < 2 && exchanges(request);
  if (algorithm.least_radix < 2 && !(carries_all && segment > 0)) all.push_back(algorithm.least_radix);
  const auto tried =
      effort == Effort::some ? std::vector<int>{2, 4, 8} : std::vector<int>{2, 3, 4, 5, 6, 8, 12, 16, 24, 32};
  for (const int radix : tried) {
    if (radix != algorithm.radix && radix < request.ranks) all.push_back(radix);
  }
  const bool has_parts = has_blocks(request) || exchanges(request) || is_rooted(request.operation);
  if (!has_parts && segment == 0 && request.ranks > 2 && request.ranks <= most_at_once) {
    all.push_back(request.ranks);
  }
  return all;
}

std::vector<int> delays(const Algorithm& algorithm, const Model& model, Bytes message, Effort effort) {
  if (!algorithm.heeds(Parameter::delay)) return {0};
  const int measured = delay(model, message);
  if (effort != Effort::thorough) return {measured};
  std::vector<int> all{measured};
  for (const int further : {measured - 1, measured + 1, measured + 2}) {
    if (further >= 1) all.push_back(further);
  }
  return all;
}

// Size of an unsegmented message: the vector, or the mean block.
Bytes whole_message(const Request& request) {
  const Blocks& blocks = request.blocks;
  if (!has_blocks(request)) return request.count * request.element_bytes;
  return blocks.all_known() ? blocks.total() / blocks.size() * request.element_bytes : 0;
}

// Every segment of a block is a message of its own, so a block has few.
constexpr Bytes segments_of_block = 8;

// Messages of collected blocks consist of several blocks. MPI libraries may count headers too, so a message at the
// eager limit can exceed it.
std::vector<Bytes> segment_sizes_of_exchange(const Request& request, const Algorithm& algorithm, const Model& model) {
  const Bytes block = request.exchange.largest() * request.element_bytes;
  const Bytes whole = algorithm.is_mapped() ? block * (request.ranks / 2) : block;
  const Bytes least = std::max({smallest_segment, request.element_bytes, block / segments_of_block});
  const Bytes limit = request.ranks < 2 ? 0 : eager_limit(model);
  const auto segment = static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(limit)));
  if (limit >= whole || segment < least) return {};
  return {segment};
}

// The number of segments with which Algorithm::filling rounds and one for each segment take least time; 0 for others.
std::int64_t filling_segments(const Request& request, const Algorithm& algorithm, const Model& model) {
  if (request.ranks < 2 || algorithm.filling == nullptr) return 0;
  if (has_blocks(request) && !request.blocks.all_known()) return 0;
  const std::int64_t elements = largest_part(request);
  // All blocks take as long however they are cut; what the largest one has more than others is cut like a vector.
  const std::int64_t others = has_blocks(request) ? request.blocks.total() / request.blocks.size() : 0;
  const std::int64_t cut = elements - others;
  if (cut == 0) return 0;
  Picoseconds empty = 1;
  Picoseconds bytes = 0;
  for (const Rank peer : {1, request.ranks / 2, request.ranks - 1}) {
    const Picoseconds without = message_time(model, 0, peer, 0);
    bytes = std::max(bytes, message_time(model, 0, peer, cut * request.element_bytes) - without);
    empty = std::max(empty, without);
  }
  // One more segment gains where n (n + 1) a < filling * b.
  const std::int64_t most = std::min<std::int64_t>(most_segments, elements);
  const auto product = static_cast<Wide>(algorithm.filling(request)) * bytes;
  std::int64_t segments = 1;
  while (segments < most && static_cast<Wide>(segments) * (segments + 1) * empty < product) ++segments;
  return segments;
}

// How many messages a rank has under way.
struct Pacing {
  int window = 0;
  Channels channels = Channels::per_link;
};

std::vector<Pacing> pacings_of_exchange(const Request& request, const Algorithm& algorithm, Effort effort) {
  std::vector<Pacing> all{{}};
  // Algorithms that collect or forward blocks wait for messages anyway.
  const bool waits = !algorithm.heeds(Parameter::segment_bytes) || algorithm.is_mapped();
  if (effort == Effort::usual || waits) return all;
  const auto windows = effort == Effort::some ? std::vector<int>{4, 16} : std::vector<int>{1, 2, 4, 8, 16, 32};
  for (const int most : windows) {
    if (most + 1 < request.ranks) all.push_back({most, Channels::per_rank});
  }
  return all;
}

std::vector<Pacing> pacings_of_mapped(const Request& request, const Model& model, Bytes segment, Effort effort) {
  // Mapped trees of vectors state the windows of long links themselves (MappedTrees::Weighted::long_links).
  std::vector<Pacing> all{{segment > 0 ? 2 : 0}};
  // A link that carries one message needs no window.
  const bool rooted = is_rooted(request.operation);
  const bool one_message = segment == 0 && (sizes(request.operation) == Sizes::vector || rooted);
  if (effort == Effort::usual || one_message) return all;
  all.push_back({4});
  if (effort == Effort::thorough) all.push_back({8});
  const int longest = has_blocks(request) && rooted ? window(request, model, segment) : 0;
  if (longest > 8) all.push_back({longest});
  return all;
}

std::vector<Pacing> pacings(const Request& request, const Algorithm& algorithm, const Model& model, Bytes segment,
                            Effort effort) {
  if (exchanges(request)) return pacings_of_exchange(request, algorithm, effort);
  if (algorithm.is_mapped()) return pacings_of_mapped(request, model, segment, effort);
  const int covering = window(request, model, segment);
  std::vector<Pacing> all{{covering}};
  if (effort == Effort::usual) return all;
  if (effort == Effort::thorough && covering > 0) {
    all.push_back({0});
    if (covering != 2) all.push_back({2});
  }
  // Blocks, and the segments of several trees, share the link of a receiving rank.
  const bool meet = has_blocks(request) || algorithm.period != nullptr || algorithm.heeds(Parameter::channels);
  if (!meet) return all;
  const auto windows = effort == Effort::some ? std::vector<int>{4} : std::vector<int>{4, 1, 16};
  for (const int most : windows) all.push_back({most, Channels::per_rank});
  return all;
}

// Bytes of the longest of so many segments.
Bytes one_of(const Request& request, std::int64_t segments) {
  return (largest_part(request) + segments - 1) / segments * request.element_bytes;
}

}  // namespace

std::int64_t largest_part(const Request& request) {
  std::int64_t elements = std::max(request.count, request.exchange.largest());
  for (int block = 0; block < request.blocks.size(); ++block)
    elements = std::max(elements, request.blocks.count(block));
  return elements;
}

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

Bytes eager_segment(const Model& model) {
  // Slightly below the limit, as MPI libraries may count headers too.
  const Bytes limit = eager_limit(model);
  return limit - limit / 64;
}

std::vector<Bytes> segment_sizes(const Request& request, const Algorithm& algorithm, const Model& model) {
  if (exchanges(request)) return segment_sizes_of_exchange(request, algorithm, model);
  const bool blocks = has_blocks(request);
  if (request.ranks < 2 || (blocks && !request.blocks.all_known())) return {};
  const Bytes vector = (blocks ? request.blocks.total() : request.count) * request.element_bytes;
  const Bytes block = blocks ? vector / request.ranks : 0;
  std::vector<Bytes> sizes;
  const Bytes least =
      std::max({smallest_segment, request.element_bytes, block / segments_of_block, vector / most_segments});
  for (Bytes segment = Bytes{1} << 60; segment >= least; segment /= 2) {
    if (segment < vector) sizes.push_back(segment);
  }
  const Bytes eager = eager_segment(model);
  if (eager >= least && eager < vector) sizes.push_back(eager);
  const Bytes filling = filling_segment(request, algorithm, model);
  if (filling >= least && filling < vector) sizes.push_back(filling);
  if (filling > 0 && block == 0 && model.is_uniform()) {
    const std::int64_t segments = filling_segments(request, algorithm, model);
    for (const std::int64_t other : {segments - 1, segments + 1, segments + 2}) {
      if (other > 1 && one_of(request, other) >= least) sizes.push_back(one_of(request, other));
    }
  }
  std::sort(sizes.rbegin(), sizes.rend());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

Bytes filling_segment(const Request& request, const Algorithm& algorithm, const Model& model) {
  const std::int64_t segments = filling_segments(request, algorithm, model);
  return segments < 2 ? 0 : one_of(request, segments);
}

int window(const Request& request, const Model& model, Bytes message) {
  if (message == 0 || request.ranks < 2) return 0;
  const auto time = [&](Bytes bytes) { return message_time(model, 0, 1, bytes); };
  const Picoseconds busy = std::max<Picoseconds>(time(message) - time(0), 1);
  const Picoseconds latency = model.longest_latency();
  constexpr Picoseconds most = 128;
  return static_cast<int>(std::min(2 + (latency + busy - 1) / busy, most));
}

int delay(const Model& model, Bytes message) {
  const MessageCost cost = model.message(0, 1, message);
  const Picoseconds whole = message_time(model, 0, 1, message);
  const Picoseconds bytes = whole - message_time(model, 0, 1, 0);
  const auto gap = std::max<Picoseconds>({cost.overhead, cost.send, cost.receive, cost.receive_overhead, bytes, 1});
  constexpr Picoseconds most = 1 << 10;
  return static_cast<int>(std::clamp<Picoseconds>((whole + gap - 1) / gap, 1, most));
}

std::vector<std::int64_t> rates(const Request& request, const Model& model) {
  constexpr Bytes sent = Bytes{1} << 20;
  std::vector<std::int64_t> rates;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    Picoseconds least = never;
    for (const Rank distance : {1, request.ranks / 2, request.ranks - 1}) {
      const Rank peer = (rank + distance) % request.ranks;
      if (peer == rank) continue;
      least = std::min(least, message_time(model, rank, peer, sent) - message_time(model, rank, peer, 0));
    }
    // In bytes per millisecond: precise enough, and sums do not overflow.
    constexpr Picoseconds millisecond = picoseconds_per_second / 1000;
    rates.push_back(std::max<std::int64_t>(1, sent * 1000 / std::max<Picoseconds>(least / (millisecond / 1000), 1)));
  }
  const auto [low, high] = std::ranges::minmax_element(rates);
  if (*high - *low <= *high / 20) return {};  // equal rates
  return rates;
}

std::vector<Parameters> variants(const Request& request, const Algorithm& algorithm, const Model& model, Bytes segment,
                                 Effort effort) {
  if (request.ranks < 2) return {{}};
  const Bytes message = segment > 0 ? segment : whole_message(request);
  const std::vector<int> waits = delays(algorithm, model, message, effort);
  const std::vector<Pacing> paces = pacings(request, algorithm, model, segment, effort);
  std::vector<std::int64_t> weights;
  if (algorithm.heeds(Parameter::rates)) weights = rates(request, model);
  std::vector<Parameters> all;
  for (const int radix : radices(request, algorithm, segment, effort)) {
    for (const int wait : waits) {
      for (const Pacing& pace : paces) {
        all.push_back(
            {.window = pace.window, .channels = pace.channels, .radix = radix, .delay = wait, .rates = weights});
      }
    }
  }
  if (effort == Effort::thorough && !weights.empty()) {
    const std::size_t weighed = all.size();
    for (std::size_t i = 0; i < weighed; ++i) {
      all.push_back(all[i]);
      all.back().rates.clear();
    }
  }
  return all;
}

}  // namespace tombolo
