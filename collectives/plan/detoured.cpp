#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <tombolo/collectives/plan/detoured.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// With so many messages for each way, every message takes one.
constexpr std::size_t many_per_way = 4;

// Consecutive elements of a message that take one way.
struct Part {
  std::int64_t first = 0;
  std::int64_t count = 0;
  int window = 0;                    // 0: directly
  std::vector<Rank> stops{};         // sender, relays, receiver
  std::vector<std::int32_t> tags{};  // by hop
};

// A message between two clusters whose messages take several ways.
struct Cargo {
  Rank from = -1;
  Rank to = -1;
  std::int32_t tag = 0;
  std::int64_t count = 0;
  std::vector<Part> parts{};
};

// What a relay forwards from one sender to one receiver, through slots of its scratch that take turns.
struct Stream {
  std::int64_t slot = 0;  // elements
  int slots = 0;
  std::vector<std::pair<const Part*, std::size_t>> forwarded{};  // with the relay's place in Part::stops
};
using Streams = std::map<std::pair<Rank, Rank>, Stream>;  // by sender and receiver

// A sender and a receiver; with a tag, a message. As one number, for a quick look-up.
std::uint64_t key_of(Rank from, Rank to) {
  return static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint64_t>(to);
}
struct MessageKey {
  std::uint64_t ends;
  std::int32_t tag;
  bool operator==(const MessageKey&) const = default;
};
struct MessageHash {
  std::size_t operator()(const MessageKey& key) const {
    return (key.ends ^ key.ends >> 21 ^ static_cast<std::uint64_t>(key.tag) << 40) * 0x9E3779B97F4A7C15U;
  }
};

class Itinerary {
 public:
  Itinerary(const std::vector<Schedule>& direct, const Detours& detours, Bytes element_bytes)
      : detours_(detours),
        element_bytes_(element_bytes),
        most_forwarded_(most_forwarded_elements(element_bytes)),
        streams_(direct.size()),
        turns_(detours.relays().size(), 0) {
    std::vector<std::vector<Cargo>> by_pair(detours.pairs().size());
    for (std::size_t rank = 0; rank < direct.size(); ++rank) {
      for (const Step& step : direct[rank].steps()) {
        if (step.kind != Step::Kind::send) continue;
        const auto from = static_cast<Rank>(rank);
        std::int32_t& tags = tags_[key_of(from, step.peer)];
        tags = std::max(tags, step.tag + 1);
        const int pair = detours.pair_of(from, step.peer);
        if (pair < 0 || step.count == 0) continue;
        by_pair[static_cast<std::size_t>(pair)].push_back(
            {.from = from, .to = step.peer, .tag = step.tag, .count = step.count});
      }
    }
    for (std::size_t pair = 0; pair < by_pair.size(); ++pair) plan(detours.pairs()[pair], by_pair[pair]);
  }

  // Null for a message that goes directly as it is.
  const Cargo* cargo(Rank from, Rank to, std::int32_t tag) const {
    const auto found = cargos_.find({key_of(from, to), tag});
    return found == cargos_.end() ? nullptr : &found->second;
  }
  const Streams& streams(Rank relay) const { return streams_[static_cast<std::size_t>(relay)]; }

 private:
  // Early messages of all ranks first: the ways of a pipeline alternate.
  void plan(const Detours::Pair& pair, std::vector<Cargo>& cargos) {
    std::ranges::sort(cargos, {}, [](const Cargo& c) { return std::tuple(c.tag, c.from, c.to); });
    const bool many = cargos.size() >= many_per_way * pair.ways.size();
    std::vector<std::int64_t> sent(pair.ways.size(), 0);
    for (Cargo& cargo : cargos) {
      const auto share_with = [&](std::size_t way) {
        return Wide{sent[way] + cargo.count} * (1 << 20) / pair.ways[way].weight;
      };
      if (many) {
        std::size_t least = 0;
        for (std::size_t way = 1; way < pair.ways.size(); ++way) {
          if (share_with(way) < share_with(least)) least = way;
        }
        sent[least] += cargo.count;
        add(pair, pair.ways[least], 0, cargo.count, cargos.size(), cargo);
      } else {
        split(pair, cargos.size(), cargo);
      }
      if (std::ranges::all_of(cargo.parts, [](const Part& part) { return part.window == 0; })) continue;
      const MessageKey key{key_of(cargo.from, cargo.to), cargo.tag};
      keep(cargos_.emplace(key, std::move(cargo)).first->second);
    }
  }

  void split(const Detours::Pair& pair, std::size_t messages, Cargo& cargo) {
    std::int64_t all = 0;
    for (const Detours::Way& way : pair.ways) all += way.weight;
    std::int64_t before = 0;
    std::int64_t first = 0;
    for (const Detours::Way& way : pair.ways) {
      before += way.weight;
      const auto end = static_cast<std::int64_t>(Wide{cargo.count} * before / all);
      if (end > first) add(pair, way, first, end - first, messages, cargo);
      first = end;
    }
  }

  // Adds the elements from `first` on in segments of equal sizes. `messages` is the number between the two clusters.
  void add(const Detours::Pair& pair, const Detours::Way& way, std::int64_t first, std::int64_t count,
           std::size_t messages, Cargo& cargo) {
    std::int64_t each = count;
    if (!way.over.empty() && pair.segment_bytes > 0 && element_bytes_ > 0) {
      each = std::clamp<std::int64_t>(pair.segment_bytes / element_bytes_, 1, count);
      each = (count - 1) / ((count - 1) / each + 1) + 1;
    }
    std::vector<Part> parts;
    std::map<Rank, int> segments;  // by relay
    const auto turns = turns_;
    for (std::int64_t at = 0; at < count; at += each) {
      const auto segment = static_cast<std::size_t>(at / each);
      Part part{.first = first + at, .count = std::min(each, count - at), .window = way.over.empty() ? 0 : way.window};
      part.stops = {cargo.from};
      for (const int cluster : way.over) {
        const std::vector<Rank>& relays = detours_.relays()[static_cast<std::size_t>(cluster)];
        const std::size_t several = std::max<std::size_t>(relays.size() / messages, 1);
        const std::size_t turn = turns[static_cast<std::size_t>(cluster)] + segment % several;
        turns_[static_cast<std::size_t>(cluster)] = turns[static_cast<std::size_t>(cluster)] + several;
        const Rank relay = relays[turn % relays.size()];
        part.stops.push_back(relay);
        ++segments[relay];
      }
      part.stops.push_back(cargo.to);
      parts.push_back(std::move(part));
    }
    const bool fits = std::ranges::all_of(segments, [&](const auto& further) {
      const Stream& stream = stream_at(further.first, cargo);
      const Stream grown = with(stream, further.second, each, way.window + 1);
      return staged_[further.first] + grown.slot * grown.slots - stream.slot * stream.slots <= most_forwarded_;
    });
    if (!fits) {
      parts = {{.first = first, .count = count, .stops = {cargo.from, cargo.to}}};
    } else {
      for (const auto& [relay, further] : segments) {
        Stream& stream = stream_at(relay, cargo);
        const Stream grown = with(stream, further, each, way.window + 1);
        staged_[relay] += grown.slot * grown.slots - stream.slot * stream.slots;
        stream.slot = grown.slot;
        stream.slots = grown.slots;
      }
    }
    std::ranges::move(parts, std::back_inserter(cargo.parts));
  }

  Stream& stream_at(Rank relay, const Cargo& cargo) {
    return streams_[static_cast<std::size_t>(relay)][{cargo.from, cargo.to}];
  }
  // The slots for so many segments more, of which no more than `window` need room at a time.
  static Stream with(const Stream& stream, int segments, std::int64_t each, int window) {
    return {std::max(stream.slot, each), std::max(stream.slots, std::min(stream.slots + segments, window))};
  }

  // Numbers the messages of a cargo, and shows its parts to the relays.
  void keep(Cargo& cargo) {
    bool is_first = true;
    for (Part& part : cargo.parts) {
      if (part.window == 0) {
        part.tags = {std::exchange(is_first, false) ? cargo.tag : tags_[key_of(cargo.from, cargo.to)]++};
        continue;
      }
      for (std::size_t hop = 0; hop + 1 < part.stops.size(); ++hop) {
        part.tags.push_back(tags_[key_of(part.stops[hop], part.stops[hop + 1])]++);
        if (hop > 0) {
          Streams& streams = streams_[static_cast<std::size_t>(part.stops[hop])];
          streams[{cargo.from, cargo.to}].forwarded.emplace_back(&part, hop);
        }
      }
    }
  }

  const Detours& detours_;
  Bytes element_bytes_;
  std::int64_t most_forwarded_;
  std::unordered_map<std::uint64_t, std::int32_t> tags_;       // the next free one, by sender and receiver
  std::unordered_map<MessageKey, Cargo, MessageHash> cargos_;  // references stay valid
  std::vector<Streams> streams_;                               // by relay
  std::map<Rank, std::int64_t> staged_;                        // elements, by relay
  std::vector<std::size_t> turns_;                             // of relays, by cluster
};

// Rewrites the steps of one rank.
class Rewriter {
 public:
  Rewriter(const Schedule& direct, const Itinerary& itinerary, Rank rank)
      : direct_(direct), itinerary_(itinerary), rank_(rank) {
    parts_.scratch = direct.scratch();
    parts_.windows.assign(direct.windows().begin(), direct.windows().end());
  }

  Schedule rewritten() && {
    forward();
    for (StepId id = 0; id < direct_.size(); ++id) {
      const Step& step = direct_.step(id);
      const bool sends = step.kind == Step::Kind::send;
      const Cargo* const cargo = !step.is_message() ? nullptr
                                 : sends            ? itinerary_.cargo(rank_, step.peer, step.tag)
                                                    : itinerary_.cargo(step.peer, rank_, step.tag);
      std::vector<StepId> after;
      for (const StepId before : direct_.after(step)) {
        const auto [first, last] = now_[static_cast<std::size_t>(before)];
        for (StepId each = first; each < last; ++each) after.push_back(each);
      }
      const auto first = static_cast<StepId>(parts_.steps.size());
      if (cargo == nullptr) {
        Step same = step;
        add(same, direct_.from(step), direct_.into(step), after);
      } else {
        add_parts(step, *cargo, after);
      }
      now_.emplace_back(first, static_cast<StepId>(parts_.steps.size()));
    }
    leave_wide_channels();
    return Schedule(std::move(parts_));
  }

 private:
  // The first segments of all streams come first.
  void forward() {
    struct Slots {
      const Stream* stream;
      std::int64_t offset;
      std::vector<StepId> sent{};  // by slot
    };
    std::vector<Slots> all;
    std::size_t longest = 0;
    for (const auto& [ends, stream] : itinerary_.streams(rank_)) {
      if (stream.forwarded.empty()) continue;
      all.push_back({&stream, parts_.scratch});
      parts_.scratch += stream.slot * stream.slots;
      longest = std::max(longest, stream.forwarded.size());
    }
    for (std::size_t turn = 0; turn < longest; ++turn) {
      for (Slots& each : all) {
        if (turn >= each.stream->forwarded.size()) continue;
        const auto& [part, at] = each.stream->forwarded[turn];
        const auto slots = static_cast<std::size_t>(each.stream->slots);
        const std::size_t slot = turn % slots;
        const BufferRange room{Buffer::scratch, each.offset + static_cast<std::int64_t>(slot) * each.stream->slot,
                               part->count};
        std::vector<StepId> after;
        if (turn >= slots) after.push_back(each.sent[slot]);
        const StepId received = add(
            {.kind = Step::Kind::receive, .peer = part->stops[at - 1], .tag = part->tags[at - 1]}, {}, {{room}}, after);
        const StepId sent = add({.kind = Step::Kind::send, .peer = part->stops[at + 1], .tag = part->tags[at]},
                                {{room}}, {}, {{received}});
        if (turn >= slots) {
          each.sent[slot] = sent;
        } else {
          each.sent.push_back(sent);
        }
      }
    }
  }

  void add_parts(const Step& step, const Cargo& cargo, std::span<const StepId> after) {
    int own = 0;  // channel of a message that has none, for its segments
    for (const Part& part : cargo.parts) {
      Step now = step;
      const bool sends = step.kind == Step::Kind::send;
      now.peer = sends ? part.stops[1] : part.stops[part.stops.size() - 2];
      now.tag = sends ? part.tags.front() : part.tags.back();
      if (part.window > 0) {
        if (!sends) {
          now.channel = 0;
        } else if (step.channel > 0) {
          now.channel = beside(step.channel);
        } else {
          if (own == 0) own = channel(part.window);
          now.channel = own;
        }
      }
      add(now, range(direct_.from(step), part), range(direct_.into(step), part), after);
    }
  }

  static std::vector<BufferRange> range(std::span<const BufferRange> whole, const Part& part) {
    std::vector<BufferRange> found;
    std::int64_t at = 0;
    for (const BufferRange& piece : whole) {
      const std::int64_t first = std::max(part.first, at);
      const std::int64_t end = std::min(part.first + part.count, at + piece.count);
      if (first < end) found.push_back({piece.buffer, piece.offset + first - at, end - first});
      at += piece.count;
    }
    return found;
  }

  int channel(int window) {
    parts_.windows.push_back(window);
    return static_cast<int>(parts_.windows.size()) - 1;
  }
  // What takes a detour has a window of the same size of its own: it does not wait for the direct link.
  int beside(int other) {
    const auto [found, is_new] = beside_.try_emplace(other, 0);
    if (is_new) found->second = channel(parts_.windows[static_cast<std::size_t>(other)]);
    return found->second;
  }

  StepId add(Step step, std::span<const BufferRange> from, std::span<const BufferRange> into,
             std::span<const StepId> after) {
    const auto keep = [](auto& pool, const auto& some) {
      const Step::Span span{static_cast<std::int32_t>(pool.size()), static_cast<std::int32_t>(some.size())};
      pool.insert(pool.end(), some.begin(), some.end());
      return span;
    };
    step.count = elements(from.empty() ? into : from);
    step.from = keep(parts_.pieces, from);
    step.into = keep(parts_.pieces, into);
    step.after = keep(parts_.after, after);
    parts_.steps.push_back(step);
    return static_cast<StepId>(parts_.steps.size()) - 1;
  }

  // As ScheduleWriter does: a window that never fills would only make sends synchronous.
  void leave_wide_channels() {
    std::vector<int> messages(parts_.windows.size(), 0);
    for (const Step& step : parts_.steps) ++messages[static_cast<std::size_t>(step.channel)];
    for (Step& step : parts_.steps) {
      const auto at = static_cast<std::size_t>(step.channel);
      if (messages[at] <= parts_.windows[at]) step.channel = 0;
    }
  }

  const Schedule& direct_;
  const Itinerary& itinerary_;
  Rank rank_;
  Schedule::Parts parts_;
  std::vector<std::pair<StepId, StepId>> now_;  // by step of the direct schedule: the first of its steps, and the end
  std::map<int, int> beside_;                   // by channel
};

}  // namespace

std::vector<Schedule> detoured(const std::vector<Schedule>& direct, const Detours& detours, Bytes element_bytes) {
  const Itinerary itinerary(direct, detours, element_bytes);
  std::vector<Schedule> all;
  for (std::size_t rank = 0; rank < direct.size(); ++rank) {
    all.push_back(Rewriter(direct[rank], itinerary, static_cast<Rank>(rank)).rewritten());
  }
  return all;
}

}  // namespace tombolo
