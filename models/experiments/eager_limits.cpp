#include <tombolo/models/experiments/eager_limits.hpp>

namespace tombolo {

namespace {

constexpr Bytes first_guess = 1024;
// From this size on a sixteenth is exact enough for a limit that no other pair shares.
constexpr Bytes exact_below = Bytes{1} << 16;

// Search state of a pair's limit: sends up to `eager` bytes do not wait, sends of `waiting` bytes do.
class LimitSearch {
 public:
  explicit LimitSearch(bool to_the_byte) : to_the_byte_(to_the_byte) {}

  void learn(Bytes bytes, bool waits) {
    if (waits) {
      waiting_ = std::min(waiting_, bytes);
    } else {
      eager_ = std::max(eager_, bytes);
    }
  }
  /// The next size to test, unless settled.
  Bytes next() const {
    if (eager_ < 0) return 0;
    if (waiting_ == no_eager_limit) return std::clamp(2 * eager_, first_guess, largest_limit);
    return eager_ + (waiting_ - eager_) / 2;
  }
  bool settled() const {
    if (waiting_ == no_eager_limit) return eager_ >= largest_limit;
    const Bytes enough = to_the_byte_ || eager_ < exact_below ? 1 : eager_ / 16;
    return waiting_ - eager_ <= enough;
  }
  Bytes eager() const { return eager_; }
  Bytes waiting() const { return waiting_; }
  Bytes limit() const { return waiting_ == no_eager_limit ? no_eager_limit : eager_; }

 private:
  bool to_the_byte_;
  Bytes eager_ = -1;
  Bytes waiting_ = no_eager_limit;
};

struct Question {
  std::size_t pair;
  Bytes bytes;
};

void ask(const std::vector<Question>& questions, const std::vector<SampledPair>& pairs, Laboratory& laboratory,
         std::vector<LimitSearch>& searches) {
  std::vector<Experiment> experiments;
  for (const auto& [pair, bytes] : questions) {
    experiments.push_back(pairs[pair].with_late_receiver(Experiment::Kind::late_receive, bytes));
  }
  const std::vector<Measured> times = laboratory.run(experiments, late_receiver);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    searches[questions[i].pair].learn(questions[i].bytes, times[i].value > experiments[i].delay / 2);
  }
}

void settle(const std::vector<SampledPair>& pairs, Laboratory& laboratory, std::vector<LimitSearch>& searches) {
  for (;;) {
    std::vector<Question> questions;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!searches[i].settled()) questions.push_back({.pair = i, .bytes = searches[i].next()});
    }
    if (questions.empty()) return;
    ask(questions, pairs, laboratory, searches);
  }
}

std::size_t fastest_of(const std::vector<SampledPair>& pairs) {
  const auto fastest = std::ranges::min_element(pairs, [](const SampledPair& a, const SampledPair& b) {
    return a.expected(largest_limit) < b.expected(largest_limit);
  });
  return static_cast<std::size_t>(fastest - pairs.begin());
}

}  // namespace

std::vector<Bytes> eager_limits(const std::vector<SampledPair>& pairs, Laboratory& laboratory) {
  if (pairs.empty()) return {};
  // The limit depends on the MPI library more than on the link, so most other pairs share the first one found.
  const std::size_t fastest = fastest_of(pairs);
  std::vector<LimitSearch> first{LimitSearch(true)};
  settle({pairs[fastest]}, laboratory, first);
  std::vector<LimitSearch> searches(pairs.size(), LimitSearch(false));
  searches[fastest] = first.front();
  std::vector<Question> questions;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == fastest) continue;
    for (const Bytes bytes : {first.front().eager(), first.front().waiting()}) {
      if (bytes >= 0 && bytes < no_eager_limit) questions.push_back({.pair = i, .bytes = bytes});
    }
  }
  ask(questions, pairs, laboratory, searches);
  settle(pairs, laboratory, searches);
  std::vector<Bytes> limits;
  for (const LimitSearch& search : searches) limits.push_back(search.limit());
  return limits;
}

}  // namespace tombolo
