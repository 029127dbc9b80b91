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

std::vector<int> radices(const Request& request, const Algorithm& algorithm, Bytes segment, Effort effort) {
  std::vector<int> all{0};
  if (algorithm.radix == 0 || effort == Effort::usual) return all;
  // With segments, the algorithm that sends everything through one rank has too many buffer ranges to predict.
  const bool carries_all = algorithm.least_radix < 2 && sizes(request.operation) == Sizes::exchange;
  if (algorithm.least_radix < 2 && !(carries_all && segment > 0)) all.push_back(algorithm.least_radix);
  const auto tried =
      effort == Effort::some ? std::vector<int>{2, 4, 8} : std::vector<int>{2, 3, 4, 5, 6, 8, 12, 16, 24, 32};
  for (const int radix : tried) {
    if (radix != algorithm.radix && radix < request.ranks) all.push_back(radix);
  }
  const bool of_blocks = request.blocks.size() > 0 || sizes(request.operation) == Sizes::exchange;
  if (!of_blocks && !is_rooted(request.operation) && segment == 0 && request.ranks > 2 &&
      request.ranks <= most_at_once) {
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
  if (blocks.size() == 0) return request.count * request.element_bytes;
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
  const bool of_blocks = request.blocks.size() > 0;
  if (of_blocks && !request.blocks.all_known()) return 0;
  const std::int64_t elements = largest_part(request);
  // All blocks take as long however they are cut; what the largest one has more than others is cut like a vector.
  const std::int64_t cut = of_blocks ? elements - request.blocks.total() / request.blocks.size() : elements;
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
  if (sizes(request.operation) == Sizes::exchange) return segment_sizes_of_exchange(request, algorithm, model);
  std::vector<Bytes> sizes;
  if (request.ranks < 2 || (request.blocks.size() > 0 && !request.blocks.all_known())) return sizes;
  const Bytes vector = (request.blocks.size() > 0 ? request.blocks.total() : request.count) * request.element_bytes;
  const Bytes block = request.blocks.size() > 0 ? vector / request.ranks : 0;
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
  const bool exchanges = sizes(request.operation) == Sizes::exchange;
  // Mapped trees of vectors state the windows of long links themselves (MappedTrees::Weighted::long_links).
  const int covering = exchanges ? 0 : !algorithm.is_mapped() ? window(request, model, segment) : segment > 0 ? 2 : 0;
  const Bytes message = segment > 0 ? segment : whole_message(request);
  std::vector<std::int64_t> weights;
  if (algorithm.heeds(Parameter::rates)) weights = rates(request, model);
  std::vector<Parameters> all;
  for (const int radix : radices(request, algorithm, segment, effort)) {
    for (const int wait : delays(algorithm, model, message, effort)) {
      const auto add = [&](int several, Channels channels) {
        all.push_back({.window = several, .channels = channels, .radix = radix, .delay = wait, .rates = weights});
      };
      add(covering, Channels::per_link);
      if (effort == Effort::usual) continue;
      if (exchanges) {
        // Limits of the messages in flight per rank; algorithms that collect or forward blocks wait for messages
        // anyway.
        if (!algorithm.heeds(Parameter::segment_bytes) || algorithm.is_mapped()) continue;
        const auto throttles = effort == Effort::some ? std::vector<int>{4, 16} : std::vector<int>{1, 2, 4, 8, 16, 32};
        for (const int several : throttles) {
          if (several + 1 < request.ranks) add(several, Channels::per_rank);
        }
        continue;
      }
      if (algorithm.is_mapped()) {
        // A link that carries one message needs no window.
        if (segment == 0 && (sizes(request.operation) == Sizes::vector || is_rooted(request.operation))) continue;
        const bool blocks = sizes(request.operation) == Sizes::blocks && is_rooted(request.operation);
        const int longest = blocks ? window(request, model, segment) : 0;
        add(4, Channels::per_link);
        if (effort == Effort::thorough) add(8, Channels::per_link);
        if (longest > 8) add(longest, Channels::per_link);
        continue;
      }
      if (effort == Effort::thorough && covering > 0) {
        add(0, Channels::per_link);
        if (covering != 2) add(2, Channels::per_link);
      }
      // Blocks, and the segments of several trees, share the link of a receiving rank.
      const bool meets = sizes(request.operation) == Sizes::blocks || algorithm.period != nullptr ||
                         algorithm.heeds(Parameter::channels);
      if (!meets) continue;
      add(4, Channels::per_rank);
      if (effort == Effort::some) continue;
      for (const int several : {1, 16}) add(several, Channels::per_rank);
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
