#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/interpose/comparison.hpp>

using tombolo::Bytes;
using tombolo::Picoseconds;
using tombolo::interpose::Comparison;
using tombolo::interpose::TimedCall;
using Turns = Comparison::Turns;

namespace {

constexpr Picoseconds ms = 1'000'000'000;

/// Calls of one rank, which alone decides.
class Calls {
 public:
  explicit Calls(Turns turns, bool half_may_do = false) : comparison_(turns, half_may_do) {}

  /// Makes so many calls; returns P for a planned turn, N for a native one, p and n where a decision says so.
  std::string make(int calls, Picoseconds native, Picoseconds planned, Bytes bytes = 0) {
    std::string ways;
    for (int call = 0; call < calls; ++call) {
      const bool is_planned = comparison_.begin_call();
      ways += comparison_.in_turn() ? (is_planned ? 'P' : 'N') : (is_planned ? 'p' : 'n');
      now_ += ms;
      comparison_.note({.bytes = bytes, .entered = now_, .left = now_ + (is_planned ? planned : native)});
      if (!comparison_.round().empty()) comparison_.decide();
    }
    return ways;
  }
  const Comparison& comparison() const { return comparison_; }

 private:
  Comparison comparison_;
  Picoseconds now_ = 0;
};

/// So many calls of a way, then the first turn of a round.
std::string then_turns(std::size_t calls, char way) {
  std::string ways(calls + 1, way);
  ways.back() = 'N';
  return ways;
}

}  // namespace

TEST_CASE("eight turns follow two planned calls, and the faster way the turns") {
  Calls planned(Turns::repeated);
  CHECK(planned.make(14, 2 * ms, ms) == "ppNPPNPNNPpppp");
  CHECK(planned.comparison().native_seconds() == Approx(0.002));
  CHECK(planned.comparison().planned_seconds() == Approx(0.001));
  Calls native(Turns::repeated);
  CHECK(native.make(14, ms, 2 * ms) == "ppNPPNPNNPnnnn");
  Calls alike(Turns::repeated);
  CHECK(alike.make(11, 100 * ms, 104 * ms).back() == 'p');
}

TEST_CASE("turns come again after so many calls that they cost one in a hundred, and later where they end alike") {
  Calls calls(Turns::repeated);
  calls.make(10, 2 * ms, ms);
  const std::string first = calls.make(400, 2 * ms, ms);
  CHECK(first == std::string(400, 'p'));  // 4 turns of 1 ms more are 1 % of 400 ms
  CHECK(calls.make(8, 2 * ms, ms) == "NPPNPNNP");
  CHECK(calls.make(1601, 2 * ms, ms) == then_turns(1600, 'p'));
  CHECK(calls.make(7, ms, 2 * ms) == "PPNPNNP");
  CHECK(calls.make(401, ms, 2 * ms) == then_turns(400, 'n'));
  Calls close(Turns::repeated);
  close.make(10, ms, ms);
  CHECK(close.make(65, ms, ms) == then_turns(64, 'p'));
}

TEST_CASE("four turns suffice where the ways are far apart, if that is allowed") {
  Calls apart(Turns::repeated, true);
  CHECK(apart.make(8, 8 * ms, 5 * ms) == "ppNPPNpp");
  Calls near(Turns::repeated, true);
  CHECK(near.make(12, 7 * ms, 5 * ms) == "ppNPPNPNNPpp");
}

TEST_CASE("a call that something delays does not decide, and one that fails takes no time") {
  Comparison comparison(Turns::repeated);
  for (int call = 0; call < 10; ++call) {
    CHECK(comparison.round().empty());
    const bool planned = comparison.begin_call();
    if (call == 2) continue;  // native
    const Picoseconds taken = call == 3 ? 1000 * ms : planned ? ms : 2 * ms;
    comparison.note({.entered = 0, .left = taken});
  }
  REQUIRE(comparison.round().size() == 8);
  CHECK(comparison.round().front().taken() == 0);
  comparison.decide();
  CHECK(comparison.round().empty());
  CHECK(comparison.native_seconds() == Approx(0.002));
  CHECK(comparison.planned_seconds() == Approx(0.001));
}

TEST_CASE("ranks that see other times and sizes decide alike from the largest numbers of all") {
  for (const Turns turns : {Turns::repeated, Turns::until_alike}) {
    std::array<Comparison, 2> ranks{Comparison(turns, true), Comparison(turns, true)};
    for (int call = 0; call < 100; ++call) {
      const bool planned = ranks[0].begin_call();
      CHECK(ranks[1].begin_call() == planned);
      CHECK(ranks[0].in_turn() == ranks[1].in_turn());
      // Rank 1 is late at native calls, so they seem short to it and long to rank 0.
      const Picoseconds late = planned ? 0 : 5 * ms;
      ranks[0].note({.bytes = 8, .entered = 0, .left = 8 * ms});
      ranks[1].note({.bytes = call, .entered = late, .left = 8 * ms});
      const auto round = ranks[0].round();
      const auto other = ranks[1].round();
      REQUIRE(round.size() == other.size());
      for (std::size_t i = 0; i < round.size(); ++i) {
        round[i] = other[i] = {.bytes = std::max(round[i].bytes, other[i].bytes),
                               .entered = std::max(round[i].entered, other[i].entered),
                               .left = std::max(round[i].left, other[i].left)};
      }
      for (Comparison& rank : ranks) {
        if (!round.empty()) rank.decide();
      }
    }
    CHECK(ranks[0].native_seconds() == Approx(0.003));
    CHECK(ranks[0].planned_seconds() == Approx(0.008));
  }
}

TEST_CASE("where not all ranks know sizes, rounds follow until like sizes went both ways") {
  Calls calls(Turns::until_alike);
  CHECK(calls.make(10, 3 * ms, 2 * ms, 1000) == "NPPNPNNPpp");
  CHECK(calls.make(1000, ms, 2 * ms, 1000) == std::string(1000, 'p'));  // for good

  Comparison other(Turns::until_alike);
  std::string ways;
  for (int call = 0; call < 66; ++call) {
    const bool planned = other.begin_call();
    ways += other.in_turn() ? 'T' : (planned ? 'p' : 'n');
    other.note({.bytes = planned ? 1000 : 10, .entered = 0, .left = ms});
    if (!other.round().empty()) other.decide();
  }
  CHECK(std::count(ways.begin(), ways.end(), 'T') == 64);
  CHECK(std::count(ways.begin() + 64, ways.end(), 'n') == 2);
  CHECK(other.native_seconds() == 0);

  Calls tie(Turns::until_alike);
  CHECK(tie.make(9, ms, ms, 1000).back() == 'n');
}

TEST_CASE("turns without an end keep the least time of each way") {
  Calls calls(Turns::endless);
  CHECK(calls.make(1, 3 * ms, 0) == "N");
  CHECK(calls.comparison().planned_seconds() == 0);
  calls.make(50, 3 * ms, 2 * ms);
  calls.make(50, 4 * ms, 3 * ms);
  CHECK(calls.comparison().native_seconds() == Approx(0.003));
  CHECK(calls.comparison().planned_seconds() == Approx(0.002));
}
