#include <algorithm>
#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/places.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 2;

// A block travels as far as the digits of its distance say, one digit after the other, together with all that have the
// same digit there (Bruck et al. 1997). It leaves the input with its first digit other than 0 and enters the output
// with its last, so nothing is rotated before or after. The sizes of blocks are their own: all ranks know all counts.
class Bruck {
 public:
  Bruck(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer)
      : exchange_(request.exchange),
        places_(request, parameters),
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

  // All blocks with one digit of their distance, `reach` its place value, go on by `step` places.
  void forward(std::int64_t reach, std::int64_t step, std::int64_t radix) {
    Pieces leaving;
    Pieces arriving;
    for (std::int64_t first = step; first < places_.size(); first += reach * radix) {
      for (std::int64_t distance = first; distance < std::min<std::int64_t>(first + reach, places_.size());
           ++distance) {
        Piece& held = held_[static_cast<std::size_t>(distance)];
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

  Piece arrived(Rank source, Rank target, bool is_there) {
    const std::int64_t count = exchange_.sends(source).count(target);
    if (is_there) return {Buffer::output, receives_.offset(source), count};
    return {Buffer::scratch, writer_.scratch(count), count};
  }

  const Exchange& exchange_;
  Places places_;
  int place_;
  Blocks receives_;
  ScheduleWriter& writer_;
  Pieces held_;  // by distance from where they come from to where they go
};

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const std::int64_t radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  Bruck bruck(request, parameters, rank, writer);
  for (std::int64_t reach = 1; reach < request.ranks; reach *= radix) {
    for (std::int64_t step = reach; step < std::min<std::int64_t>(reach * radix, request.ranks); step += reach) {
      bruck.forward(reach, step, radix);
    }
  }
}

}  // namespace

const Algorithm alltoallv_bruck{
    .name = "bruck",
    .operation = Operation::alltoallv,
    .summary = "blocks travel by the digits of their distance, in common messages; fewest rounds for small blocks",
    .write = write,
    .all_counts = true,
    .radix = usual_radix,
};

}  // namespace tombolo
