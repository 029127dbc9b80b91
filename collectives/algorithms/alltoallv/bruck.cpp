// The alltoall of Bruck et al. (1997), for any radix and any block sizes.

#include <algorithm>
#include <vector>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// A block travels by the digits of its distance, one digit after the other, together with all blocks with the same
// digit. Its first nonzero digit takes it from the input and its last one to the output, so no rotation is needed
// before or after. Block sizes may differ: all ranks know all counts.
class Bruck {
 public:
  Bruck(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer)
      : exchange_(request.exchange),
        places_(request.ranks, request.root, parameters.order),
        place_(places_.place(rank)),
        receives_(exchange_.receives(rank)),
        writer_(writer) {
    const Blocks sends = exchange_.sends(rank);
    for (int distance = 0; distance < places_.size(); ++distance) {
      const Rank target = further(distance);
      held_.push_back({Buffer::input, sends.offset(target), sends.count(target)});
    }
    writer.copy({held_.front()}, {{Buffer::output, receives_.offset(rank), receives_.count(rank)}});
  }

  // Sends all blocks with one value of a digit of their distance `step` virtual ranks further; `reach` is the digit's
  // place value.
  void forward(std::int64_t reach, std::int64_t step, std::int64_t radix) {
    BufferRanges leaving;
    BufferRanges arriving;
    for (std::int64_t first = step; first < places_.size(); first += reach * radix) {
      for (std::int64_t distance = first; distance < std::min<std::int64_t>(first + reach, places_.size());
           ++distance) {
        BufferRange& held = held_[static_cast<std::size_t>(distance)];
        leaving.push_back(held);
        const std::int64_t behind = distance % (reach * radix);
        held = arrived(further(-behind), further(distance - behind), distance == behind);
        arriving.push_back(held);
      }
    }
    writer_.receive(further(-step), arriving);
    writer_.send(further(step), leaving);
  }

 private:
  Rank further(std::int64_t steps) const {
    return places_.rank(static_cast<int>((place_ + steps + places_.size()) % places_.size()));
  }

  BufferRange arrived(Rank source, Rank target, bool is_there) {
    const std::int64_t count = exchange_.sends(source).count(target);
    if (is_there) return {Buffer::output, receives_.offset(source), count};
    return {Buffer::scratch, writer_.scratch(count), count};
  }

  const AlltoallCounts& exchange_;
  RankOrder places_;
  int place_;
  Blocks receives_;
  ScheduleWriter& writer_;
  BufferRanges held_;  // by distance from source to target
};

// Calls round(reach, step) for each value of each digit of a distance.
template <class Round>
void for_rounds(int ranks, std::int64_t radix, const Round& round) {
  for (std::int64_t reach = 1; reach < ranks; reach *= radix) {
    for (std::int64_t step = reach; step < std::min<std::int64_t>(reach * radix, ranks); step += reach) {
      round(reach, step);
    }
  }
}

void write_bruck(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const std::int64_t radix = parameters.radix_or(usual_radix);
  Bruck bruck(request, parameters, rank, writer);
  for_rounds(request.ranks, radix, [&](std::int64_t reach, std::int64_t step) { bruck.forward(reach, step, radix); });
}

std::vector<RegularRounds> regular(const Request& request, const Parameters& parameters) {
  std::vector<RegularRounds> rounds;
  if (!request.exchange.is_equal()) return rounds;
  const std::int64_t radix = parameters.radix_or(usual_radix);
  for_rounds(request.ranks, radix, [&](std::int64_t reach, std::int64_t step) {
    const std::int64_t turns = request.ranks / (reach * radix);
    const std::int64_t last = request.ranks - turns * reach * radix - step;
    const std::int64_t blocks = turns * reach + std::clamp<std::int64_t>(last, 0, reach);
    rounds.push_back({.sent = blocks * request.exchange.largest(), .distance = static_cast<int>(step)});
  });
  return rounds;
}

}  // namespace

const Algorithm alltoallv_bruck{
    .name = "bruck",
    .operation = Operation::alltoallv,
    .summary = "blocks travel by the digits of their distance, in common messages; fewest rounds for small blocks",
    .write = write_bruck,
    .all_counts = true,
    .regular = regular,
    .radix = usual_radix,
};

}  // namespace tombolo
