#include <algorithm>
#include <bit>

#include <tombolo/collectives/topology/circulant.hpp>

namespace tombolo {

namespace {

// Finds what a place receives in each turn. A block comes along a path from place 0 whose skips descend, the last of
// them numbered as the block. In turn k it comes from the place skip(k) before, so the path must end there or earlier,
// and later than in turn k + 1. Places wrap around: the search is for the place one turn of the ring further on. Paths
// are tried by descending length of skips; each block is found once.
class PathSearch {
 public:
  PathSearch(const std::vector<int>& skips, int place, int base)
      : skips_(skips),
        unused_(((std::uint64_t{2} << (skips.size() - 1)) - 1) & ~(std::uint64_t{1} << base)),
        target_(std::int64_t{skips.back()} + place),
        before_(2 * std::int64_t{skips.back()}) {
    found_.reserve(skips.size());
  }

  std::vector<int> blocks() && {
    extend(0, static_cast<int>(skips_.size()) - 1);
    return std::move(found_);
  }

 private:
  bool complete() const { return found_.size() + 1 == skips_.size(); }
  // The last place that can send in the next turn but `turns`.
  std::int64_t sender(std::size_t turns) const { return target_ - skips_[found_.size() + turns]; }

  void extend(std::int64_t reached, int block) {
    for (; block >= 0; block = next_below(block)) {
      if (complete()) return;
      const std::int64_t end = reached + skips_[static_cast<std::size_t>(block)];
      if ((unused_ >> block & 1) == 0 || end > sender(0) || end >= before_) continue;
      if (end <= sender(1)) extend(end, block);
      if (complete() || reached > sender(1)) return;
      before_ = end;
      found_.push_back(block);
      unused_ &= ~(std::uint64_t{1} << block);
    }
  }

  int next_below(int block) const {
    return static_cast<int>(std::bit_width(unused_ & ((std::uint64_t{1} << block) - 1))) - 1;
  }

  const std::vector<int>& skips_;
  std::uint64_t unused_;  // a bit for each block
  std::int64_t target_;
  std::int64_t before_;  // ends of paths descend
  std::vector<int> found_;
};

// By turn, what a place sends: what the place that it sends to receives, by received(place); the first place all
// blocks.
template <class Received>
std::vector<int> sends_of(const Circulant& graph, int place, const Received& received) {
  std::vector<int> blocks;
  for (int turn = 0; turn < graph.degree(); ++turn) {
    const auto at = static_cast<std::size_t>(turn);
    blocks.push_back(place == 0 ? turn : received(graph.further(place, graph.skip(turn)))[at]);
  }
  return blocks;
}

}  // namespace

Circulant::Circulant(int places) {
  for (int left = places; left > 1; left -= left / 2) skips_.push_back(left);
  skips_.push_back(1);
  std::ranges::reverse(skips_);
}

int Circulant::further(int place, int steps) const {
  return static_cast<int>((std::int64_t{place} + steps + places()) % places());
}

// The last skip of the path of greatest skips to a place; degree() for place 0.
int Circulant::base_block(int place) const {
  int base = degree();
  for (int turn = degree() - 1; turn >= 0 && place > 0; --turn) {
    if (place < skip(turn)) continue;
    place -= skip(turn);
    base = turn;
  }
  return base;
}

std::vector<int> Circulant::received(int place) const {
  const int base = base_block(place);
  std::vector<int> blocks = PathSearch(skips_, place, base).blocks();
  for (int& block : blocks) block = block == degree() ? base : block - degree();
  return blocks;
}

std::vector<int> Circulant::sent(int place) const {
  return sends_of(*this, place, [this](int other) { return received(other); });
}

std::vector<Circulant::Round> Circulant::broadcast(int place, std::int64_t blocks) const {
  if (blocks == 0 || degree() == 0) return {};
  return rounds(place, blocks, received(place), sent(place));
}

std::vector<std::vector<Circulant::Round>> Circulant::broadcasts(std::int64_t blocks) const {
  std::vector<std::vector<Round>> all(static_cast<std::size_t>(places()));
  if (blocks == 0 || degree() == 0) return all;
  std::vector<std::vector<int>> in;
  for (int place = 0; place < places(); ++place) in.push_back(received(place));
  const auto received_by = [&in](int place) -> const std::vector<int>& { return in[static_cast<std::size_t>(place)]; };
  for (int place = 0; place < places(); ++place) {
    all[static_cast<std::size_t>(place)] =
        rounds(place, blocks, received_by(place), sends_of(*this, place, received_by));
  }
  return all;
}

std::vector<Circulant::Round> Circulant::rounds(int place, std::int64_t blocks, const std::vector<int>& in,
                                                const std::vector<int>& out) const {
  std::vector<Round> rounds;
  // The last turn ends the last round, so the first round may have a later turn. What would come after the last block
  // is the last block.
  const std::int64_t late = (degree() - (blocks - 1) % degree()) % degree();
  const std::int64_t all = blocks - 1 + degree();
  for (std::int64_t round = late; round < late + all; ++round) {
    const auto turn = static_cast<std::size_t>(round % degree());
    const auto block = [&](int first) {
      const std::int64_t number = first + round - static_cast<std::int64_t>(turn) - late;
      return number < 0 ? nothing : std::min(number, blocks - 1);
    };
    const int by = skips_[turn];
    Round& now = rounds.emplace_back(Round{.to = further(place, by), .from = further(place, -by)});
    if (now.to != 0) now.sent = block(out[turn]);
    if (place != 0) now.received = block(in[turn]);
  }
  return rounds;
}

}  // namespace tombolo
