// Reduction over a circulant graph, the rounds of its broadcast backwards (Traeff 2024): every rank sends and receives
// one segment in each.

#include <algorithm>
#include <optional>
#include <ranges>
#include <vector>

#include <tombolo/collectives/algorithms/common/circulant_rounds.hpp>
#include <tombolo/collectives/algorithms/common/rotated_sum.hpp>
#include <tombolo/collectives/operations/contract.hpp>

namespace tombolo {

namespace {

// The sums of a rank: of each segment one, from the first that arrives to the one message that takes it on.
class Sums {
 public:
  Sums(const CirculantRounds& all, const Request& request, const Parameters& parameters, bool is_root,
       ScheduleWriter& writer)
      : all_(all),
        writer_(writer),
        is_root_(is_root),
        own_in_output_(is_root && request.in_place),
        places_(static_cast<std::size_t>(all.segments())) {
    if (all.segments() == 0) return;
    each_ = all.segment(0).count;
    const auto [live, arrivals] = most_live();
    const std::int64_t room = combining_scratch_limit(request.count, request.element_bytes) / each_;
    const std::int64_t further = parameters.window > 0 ? parameters.window : arrivals;
    areas_.add_scratch(std::min({live + further, arrivals, room}), each_, writer);
  }

  // The segment of this rank's own vector, or the sum so far.
  BufferRange sum(std::int64_t segment) const {
    return place(segment).value_or(own(segment, own_in_output_ ? Buffer::output : Buffer::input));
  }

  void receive(std::int64_t segment, Rank from, int channel) {
    const bool first = !place(segment) && !own_in_output_;
    const BufferRange arrived = first && is_root_ ? own(segment, Buffer::output) : area(segment);
    writer_.receive(from, {arrived}, {.channel = channel});
    if (first) {
      writer_.reduce({sum(segment)}, {arrived});
      place(segment) = arrived;
    } else {
      writer_.reduce({arrived}, {sum(segment)});
      give_back(arrived);
    }
  }

  void sent(std::int64_t segment) {
    if (place(segment)) give_back(*place(segment));
  }

 private:
  struct Live {
    std::int64_t most = 0;
    std::int64_t arrivals = 0;
  };
  // The most areas in use at a time, and how many arrivals there are.
  Live most_live() const {
    Live live;
    std::int64_t now = 0;
    std::vector<bool> begun(places_.size(), is_root_);
    for (const Circulant::Round& round : std::views::reverse(all_.rounds())) {
      if (round.sent != Circulant::nothing) {
        ++live.arrivals;
        live.most = std::max(live.most, now + 1);
        auto segment = begun[static_cast<std::size_t>(round.sent)];
        if (!segment) ++now;
        segment = true;
      }
      if (round.received != Circulant::nothing && begun[static_cast<std::size_t>(round.received)]) --now;
    }
    return live;
  }

  BufferRange own(std::int64_t segment, Buffer buffer) const {
    const BufferRange& range = all_.segment(segment);
    return {buffer, range.offset, range.count};
  }
  std::optional<BufferRange>& place(std::int64_t segment) { return places_[static_cast<std::size_t>(segment)]; }
  const std::optional<BufferRange>& place(std::int64_t segment) const {
    return places_[static_cast<std::size_t>(segment)];
  }
  BufferRange area(std::int64_t segment) {
    const BufferRange taken = areas_.take();
    return {taken.buffer, taken.offset, all_.segment(segment).count};
  }
  void give_back(const BufferRange& used) { areas_.give_back({used.buffer, used.offset, each_}); }

  const CirculantRounds& all_;
  ScheduleWriter& writer_;
  bool is_root_;
  bool own_in_output_;
  std::int64_t each_ = 0;
  std::vector<std::optional<BufferRange>> places_;  // of sums, by segment
  VectorAreas areas_;
};

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const CirculantRounds all(Buffer::input, request, parameters, rank);
  const bool is_root = rank == request.root;
  Sums sums(all, request, parameters, is_root, writer);
  ChannelSet receives(writer, parameters.window, Channels::per_link);
  const int sends = writer.channel(parameters.window);
  for (const Circulant::Round& round : std::views::reverse(all.rounds())) {
    if (round.received != Circulant::nothing) {
      writer.send(all.rank(round.from), {sums.sum(round.received)}, {.channel = sends});
      sums.sent(round.received);
    }
    if (round.sent != Circulant::nothing) {
      const Rank from = all.rank(round.to);
      sums.receive(round.sent, from, receives.channel(from));
    }
  }
  if (request.ranks == 1 && !request.in_place)
    writer.copy({{Buffer::input, 0, request.count}}, {{Buffer::output, 0, request.count}});
}

}  // namespace

const Algorithm reduce_circulant{
    .name = "circulant",
    .operation = Operation::reduce,
    .summary = "segments in the fewest rounds, every rank sending one and receiving one; for middle and large vectors",
    .write = write,
    .uses = {Parameter::segment_bytes},
    .filling = circulant_filling,
    .regular = circulant_regular<true>,
    .needs_commutative = true,
};

}  // namespace tombolo
