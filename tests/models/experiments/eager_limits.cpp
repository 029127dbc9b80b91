// Limits of eager messages, found on machines whose pairs have drawn ones.

#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include <tombolo/models/experiments/eager_limits.hpp>

using namespace tombolo;

namespace {

/// Pair i, of ranks 2i and 2i + 1, sends what has up to limits[i] bytes without waiting. The experiment number
/// `disturbed` seems to wait.
class LimitedLaboratory final : public Laboratory {
 public:
  explicit LimitedLaboratory(std::vector<Bytes> limits, int disturbed = -1)
      : limits_(std::move(limits)), disturbed_(disturbed) {}

  std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) override {
    CHECK(repeat.most <= 3);
    ++rounds_;
    std::vector<Measured> times;
    for (const Experiment& e : experiments) {
      REQUIRE(e.kind == Experiment::Kind::late_receive);
      largest_ = std::max(largest_, e.there);
      const bool waits = experiments_++ == disturbed_ || e.there > limits_[static_cast<std::size_t>(e.a / 2)];
      times.push_back({.value = waits ? e.delay + 1'000 : 1'000, .error = 0});
    }
    return times;
  }
  ExperimentCost cost() const override { return {}; }
  int rounds() const { return rounds_; }
  Bytes largest() const { return largest_; }

 private:
  std::vector<Bytes> limits_;
  int disturbed_;
  int experiments_ = 0;
  int rounds_ = 0;
  Bytes largest_ = 0;
};

/// Takes as long as receivers are late, of a second.
class Hurried final : public Laboratory {
 public:
  explicit Hurried(Laboratory& other) : other_(other) {}
  std::vector<Measured> run(std::span<const Experiment> experiments, const Repeat& repeat) override {
    for (const Experiment& e : experiments) seconds_ += 2 * seconds(e.delay);
    return other_.run(experiments, repeat);
  }
  ExperimentCost cost() const override { return {.seconds = seconds_}; }
  double time_given() const override { return 1; }

 private:
  Laboratory& other_;
  double seconds_ = 0;
};

std::vector<SampledPair> pairs(std::size_t count, std::size_t fastest) {
  std::vector<SampledPair> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    made[i] = {.a = static_cast<Rank>(2 * i), .b = static_cast<Rank>(2 * i + 1), .latency = 1'000'000};
    made[i].rate = i == fastest ? 1'000'000'000 : 10'000'000;
  }
  return made;
}

std::vector<Bytes> bytes_of(const std::vector<EagerLimit>& limits) {
  std::vector<Bytes> found;
  for (const EagerLimit& limit : limits) found.push_back(limit.limit());
  return found;
}

/// All limits, tested on every pair.
std::vector<Bytes> eager_limits(const std::vector<SampledPair>& pairs, Laboratory& laboratory) {
  std::vector<EagerLimit> limits = limits_by_kind(pairs, TimeLeft(laboratory, 1), laboratory);
  std::vector<std::size_t> all(pairs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  CHECK(correct_limits(pairs, all, TimeLeft(laboratory, 1), laboratory, limits) == 0);
  return bytes_of(limits);
}

}  // namespace

TEST_CASE("limits are found to the byte where the library sets them, and to a sixteenth where buffers do") {
  std::mt19937 random(7);
  const auto between = [&](Bytes low, Bytes high) { return std::uniform_int_distribution<Bytes>(low, high)(random); };
  for (int trial = 0; trial < 300; ++trial) {
    const auto count = static_cast<std::size_t>(between(1, 12));
    const auto fastest = static_cast<std::size_t>(between(0, static_cast<Bytes>(count) - 1));
    std::vector<Bytes> limits(count, between(-1, 300'000));
    for (Bytes& limit : limits) {
      if (between(0, 2) == 0) limit = between(0, 1) == 0 ? between(-1, 100'000) : between(100'000, largest_limit - 1);
    }
    LimitedLaboratory laboratory(limits);
    const std::vector<Bytes> found = eager_limits(pairs(count, fastest), laboratory);
    REQUIRE(found.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      INFO("pair " << i << " of " << count << ": " << limits[i]);
      const bool exact = i == fastest || limits[i] == limits[fastest] || limits[i] < (1 << 16);
      CHECK(found[i] <= limits[i]);
      CHECK(found[i] + (exact ? 0 : found[i] / 16) >= limits[i]);
    }
    CHECK(laboratory.rounds() <= 60);
  }
}

TEST_CASE("all pairs at once take no longer than the one that takes longest") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{10}, std::size_t{100}}) {
    std::vector<Bytes> limits(count);
    for (std::size_t i = 0; i < count; ++i) limits[i] = 200'000 + 30'000 * static_cast<Bytes>(i);
    LimitedLaboratory laboratory(limits);
    eager_limits(pairs(count, 0), laboratory);
    CHECK(laboratory.rounds() <= 45);
  }
}

TEST_CASE("a library that never waits is asked for little over slow links, and one that always does for little") {
  const std::vector<SampledPair> some = pairs(9, 3);
  LimitedLaboratory never(std::vector<Bytes>(9, no_eager_limit));
  CHECK(eager_limits(some, never) == std::vector<Bytes>(9, no_eager_limit));
  CHECK(never.rounds() <= 16);
  LimitedLaboratory always(std::vector<Bytes>(9, -1));
  CHECK(eager_limits(some, always) == std::vector<Bytes>(9, -1));
  CHECK(always.rounds() == 2);
  CHECK(always.largest() <= (1 << 17));
  CHECK(eager_limits({}, always).empty());
}

TEST_CASE("a message that something else delays is not taken to wait where a larger one did not") {
  int unharmed = 0;
  for (int disturbed = 0; disturbed < 60; ++disturbed) {
    CAPTURE(disturbed);
    LimitedLaboratory laboratory({70'000}, disturbed);
    const EagerLimit found = limits_by_kind(pairs(1, 0), TimeLeft(laboratory, 1), laboratory).front();
    CHECK(found.eager < found.waiting);
    CHECK(found.eager <= 70'000);
    if (found.limit() == 70'000) ++unharmed;
  }
  CHECK(unharmed > 30);
}

TEST_CASE("links inside hosts have a limit of their own") {
  std::vector<SampledPair> some = pairs(6, 2);
  for (const std::size_t i : {2, 5}) some[i].inside_host = true;
  LimitedLaboratory laboratory({9'000, 9'000, 40'000, 9'000, 9'000, 40'000});
  CHECK(bytes_of(limits_by_kind(some, TimeLeft(laboratory, 1), laboratory)) ==
        std::vector<Bytes>{9'000, 9'000, 40'000, 9'000, 9'000, 40'000});
}

TEST_CASE("without time the limit of a kind is found to a sixteenth") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 100; ++trial) {
    const Bytes limit = std::uniform_int_distribution<Bytes>(-1, largest_limit - 1)(random);
    LimitedLaboratory limited(std::vector<Bytes>(3, limit));
    Hurried laboratory(limited);
    const EagerLimit found = limits_by_kind(pairs(3, 1), TimeLeft(laboratory, 0), laboratory).front();
    CHECK(found.eager <= limit);
    CHECK(found.waiting > limit);
    CHECK(found.waiting - found.eager <= std::max<Bytes>(found.eager / 16, 1));
    CHECK(limited.rounds() <= 5);
  }
}

TEST_CASE("where time is short, pairs far away keep the limit of their kind") {
  std::vector<SampledPair> some = pairs(3, 0);
  some[2].latency = picoseconds_per_second / 4;
  LimitedLaboratory limited({9'000, 5'000, 5'000});
  Hurried laboratory(limited);
  std::vector<EagerLimit> limits = limits_by_kind(some, TimeLeft(laboratory, 1), laboratory);
  CHECK(bytes_of(limits) == std::vector<Bytes>(3, 9'000));
  CHECK(correct_limits(some, {1, 2}, TimeLeft(laboratory, 1), laboratory, limits) == 1);
  CHECK(bytes_of(limits) == std::vector<Bytes>{9'000, 5'000, 9'000});
  CHECK(laboratory.cost().seconds < 1);
}
