#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include <tombolo/interpose/turns.hpp>

namespace tombolo::interpose {

namespace {

constexpr std::size_t calls_of_round = 8;
constexpr std::size_t most_rounds = 8;

// Sizes within an octave are alike.
int octave(std::int64_t bytes) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
}

}  // namespace

bool is_planned_turn(std::size_t turn) {
  return std::popcount(turn) % 2 == 1;
}

bool Turns::planned_next() const {
  return is_planned_turn(noted_.size());
}

void Turns::note(const TimedCall& call) {
  noted_.push_back(call);
}

bool Turns::due() const {
  return noted_.size() - compared_ == calls_of_round;
}

std::span<TimedCall> Turns::round() {
  return std::span(noted_).subspan(compared_);
}

void Turns::compare() {
  struct Least {
    Picoseconds of[2] = {std::numeric_limits<Picoseconds>::max(), std::numeric_limits<Picoseconds>::max()};
    bool both() const { return std::max(of[0], of[1]) < std::numeric_limits<Picoseconds>::max(); }
  };
  compared_ = noted_.size();
  std::map<int, Least> sizes;
  for (std::size_t call = 0; call < noted_.size(); ++call) {
    Picoseconds& least = sizes[octave(noted_[call].bytes)].of[is_planned_turn(call) ? 1 : 0];
    least = std::min(least, noted_[call].taken());
  }
  native_ = 0;
  planned_ = 0;
  for (const auto& [size, least] : sizes) {
    if (!least.both()) continue;
    native_ += least.of[0];
    planned_ += least.of[1];
  }
  if (native_ > 0) {
    verdict_ = planned_ < native_ ? Verdict::planned : Verdict::native;
  } else if (noted_.size() == calls_of_round * most_rounds) {
    verdict_ = Verdict::native;
  }
}

}  // namespace tombolo::interpose
