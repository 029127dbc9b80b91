#include <algorithm>
#include <utility>

#include <tombolo/collectives/reduce_scatter/own_sum.hpp>
#include <tombolo/collectives/segments.hpp>

namespace tombolo {

namespace {

// What comes from one near place, or from one other group; or the own contribution, without parts.
struct Layer {
  int place = 0;  // any of the group's
  std::vector<RelayedSums::Part> parts{};
};

// Scratch that is taken in turn, a message at a time.
class Ring {
 public:
  Ring(std::int64_t begin, std::int64_t size) : begin_(begin), size_(size) {}
  Piece next(std::int64_t count) {
    if (at_ + count > size_) at_ = 0;
    return {Buffer::scratch, begin_ + std::exchange(at_, at_ + count), count};
  }

 private:
  std::int64_t begin_;
  std::int64_t size_;
  std::int64_t at_ = 0;
};

// The near ones first, whose contributions come first; or in descending order, where operands must keep theirs: what
// comes in stands to the left of what is there.
std::vector<Layer> layers_of(const SummingPlace& at) {
  std::vector<Layer> all;
  const Group& near = at.nearest();
  const std::int64_t begin = at.block_of(at.place).offset;
  for (int step = 1; step < near.size; ++step) {
    const int from = near.first + (at.place - near.first + near.size - step) % near.size;
    Layer layer{from};
    for (const Piece& part : at.segments_of(at.place)) layer.parts.push_back({from, part.offset - begin, part.count});
    all.push_back(std::move(layer));
  }
  for (int level = at.groups.levels() - 1; level > 0; --level) {
    for (const Group& from : at.relayed.others(level, at.groups.group(level, at.place))) {
      all.push_back({from.first, at.relayed.arriving(level, from, at.place)});
    }
  }
  all.insert(all.begin() + (all.empty() ? 0 : 1), Layer{at.place});
  if (!at.request.commutative) {
    std::sort(all.begin(), all.end(), [](const Layer& a, const Layer& b) { return a.place > b.place; });
  }
  return all;
}

}  // namespace

Pieces SummingPlace::segments_of(int owner) const {
  return segments(block_of(owner), request.element_bytes, parameters.segment_bytes);
}

void write_own_sum(const SummingPlace& at, ScheduleWriter& writer) {
  const Piece own = at.block_of(at.place);
  if (own.count == 0) return;
  const Piece result{Buffer::output, 0, own.count};
  const Piece sum = at.request.in_place ? Piece{Buffer::scratch, writer.scratch(own.count), own.count} : result;
  const std::vector<Layer> layers = layers_of(at);
  // The first one comes in where the sum is made.
  const auto later = static_cast<std::int64_t>(layers.size()) - 1 - (layers.front().place == at.place ? 0 : 1);
  const std::int64_t left = at.scratch_limit - writer.scratch(0);
  const std::int64_t room = later <= 0 ? 0 : left / later >= own.count ? later * own.count : left;
  Ring ring(writer.scratch(room), room);
  for (const Layer& layer : layers) {
    const bool is_first = &layer == &layers.front();
    if (layer.place == at.place) is_first ? writer.copy({own}, {sum}) : writer.reduce({own}, {sum});
    for (const RelayedSums::Part& part : layer.parts) {
      const Piece there{sum.buffer, sum.offset + part.offset, part.count};
      const Piece arrived = is_first ? there : ring.next(part.count);
      writer.receive(at.groups.rank(part.place), {arrived});
      if (!is_first) writer.reduce({arrived}, {there});
    }
  }
  writer.copy({sum}, {result});
}

}  // namespace tombolo
