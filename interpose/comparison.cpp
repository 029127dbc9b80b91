#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include <tombolo/interpose/comparison.hpp>

namespace tombolo::interpose {

namespace {

constexpr std::size_t calls_of_round = 8;
constexpr std::size_t most_rounds = 8;
constexpr double clearly = 1.05;     // slower than a native call
constexpr double at_a_glance = 1.5;  // each call of one way takes so many times as long as each of the other
constexpr std::int64_t for_good = std::numeric_limits<std::int64_t>::max();

// By the Thue-Morse sequence. It has no period, and of four or eight turns half are planned, at even and at odd places
// alike: a program of one call after a long computation and one after a short one gets each of them both ways.
bool is_planned_turn(std::size_t turn) {
  return std::popcount(turn) % 2 == 1;
}

struct Times {
  std::vector<Picoseconds> native{};
  std::vector<Picoseconds> planned{};
};

// Sorted, by octaves of sizes, within which calls are alike.
std::map<int, Times> times_by_size(const std::vector<TimedCall>& calls) {
  std::map<int, Times> sizes;
  for (std::size_t turn = 0; turn < calls.size(); ++turn) {
    Times& times = sizes[static_cast<int>(std::bit_width(static_cast<std::uint64_t>(calls[turn].bytes)))];
    (is_planned_turn(turn) ? times.planned : times.native).push_back(calls[turn].taken());
  }
  for (auto& [size, times] : sizes) {
    std::ranges::sort(times.native);
    std::ranges::sort(times.planned);
  }
  return sizes;
}

// The mean of the two in the middle: where every other call waits for something, they are one of each.
double median(const std::vector<Picoseconds>& times) {
  return seconds(times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
}

bool are_apart(const std::vector<Picoseconds>& faster, const std::vector<Picoseconds>& slower) {
  return seconds(slower.front()) > at_a_glance * seconds(faster.back());
}

// So many that what the turns of the slower way cost more is 1 % of them. The longer, the more often the turns ended
// alike.
std::int64_t calls_until_turns(double native, double planned, std::int64_t confirmed_after) {
  constexpr double part = 0.01;
  constexpr double rarer = 4;
  const double slower = std::max(native, planned) / std::max(std::min(native, planned), 1e-12) - 1;
  const double calls =
      std::max({64., calls_of_round / 2. * slower / part, rarer * static_cast<double>(confirmed_after)});
  return static_cast<std::int64_t>(std::min(calls, 0x1p40));
}

}  // namespace

Comparison::Comparison(Turns turns, bool half_may_do)
    : turns_(turns), half_may_do_(half_may_do), wait_(turns == Turns::repeated ? 2 : 0) {}

bool Comparison::begin_call() {
  in_turn_ = wait_ == 0;
  if (!in_turn_) {
    --wait_;
    return !native_;
  }
  if (turns_ != Turns::endless) calls_.emplace_back();
  return is_planned_turn(turn_++);
}

void Comparison::note(const TimedCall& call) {
  if (!in_turn_) return;
  if (turns_ != Turns::endless) {
    calls_.back() = call;
    return;
  }
  double& least = is_planned_turn(turn_ - 1) ? planned_seconds_ : native_seconds_;
  least = least > 0 ? std::min(least, seconds(call.taken())) : seconds(call.taken());
}

std::span<TimedCall> Comparison::round() {
  const bool half = half_may_do_ && calls_.size() == calls_of_round / 2;
  return half || calls_.size() % calls_of_round == 0 ? std::span(calls_).subspan(compared_) : std::span<TimedCall>();
}

void Comparison::decide() {
  compared_ = calls_.size();
  const std::map<int, Times> sizes = times_by_size(calls_);
  if (turns_ == Turns::repeated) {
    const auto& [native, planned] = sizes.begin()->second;
    if (calls_.size() < calls_of_round && !are_apart(native, planned) && !are_apart(planned, native)) return;
    native_seconds_ = median(native);
    planned_seconds_ = median(planned);
    const bool native_faster = planned_seconds_ > clearly * native_seconds_;
    waited_ = calls_until_turns(native_seconds_, planned_seconds_, native_faster == native_ ? waited_ : 0);
    return conclude(native_faster, waited_);
  }
  Picoseconds native = 0;
  Picoseconds planned = 0;
  for (const auto& [size, times] : sizes) {
    if (times.native.empty() || times.planned.empty()) continue;
    native += times.native.front();
    planned += times.planned.front();
  }
  if (native == 0 && calls_.size() < calls_of_round * most_rounds) return;
  native_seconds_ = seconds(native);
  planned_seconds_ = seconds(planned);
  conclude(planned >= native, for_good);
}

void Comparison::conclude(bool native, std::int64_t wait) {
  native_ = native;
  wait_ = wait;
  in_turn_ = false;
  turn_ = compared_ = 0;
  calls_.clear();
}

}  // namespace tombolo::interpose
