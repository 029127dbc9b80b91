#include <tombolo/models/eager_limits.hpp>

namespace tombolo {

namespace {

// Enough to tell a limit of the library's, over every link: a tenth of a second on slow ones.
constexpr Bytes large_everywhere = Bytes{1} << 19;
constexpr Bytes first_guess = 1024;
// From here on a limit that only this pair has is known well enough to a sixteenth.
constexpr Bytes exact_below = Bytes{1} << 16;

// What is known of a pair's limit: messages up to `eager` bytes do not wait, those of `waiting` do.
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
  /// What to ask next, unless settled.
  Bytes next() const {
    if (eager_ < 0) return 0;
    if (waiting_ == no_eager_limit) return std::max(first_guess, 2 * eager_);
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

Bytes limit_of_fastest(const std::vector<SampledPair>& pairs, Laboratory& laboratory) {
  const auto faster = [](const SampledPair& a, const SampledPair& b) {
    return a.expected(largest_limit) < b.expected(largest_limit);
  };
  const std::vector fastest{*std::min_element(pairs.begin(), pairs.end(), faster)};
  std::vector search{LimitSearch(true)};
  settle(fastest, laboratory, search);
  return search.front().limit();
}

}  // namespace

std::vector<Bytes> eager_limits(const std::vector<SampledPair>& pairs, Laboratory& laboratory) {
  if (pairs.empty()) return {};
  // The limit is the library's more than the link's: where it is found, most others have it too.
  const Bytes limit = limit_of_fastest(pairs, laboratory);
  const Bytes within = std::clamp<Bytes>(limit, 0, large_everywhere);
  const Bytes beyond = limit < largest_limit ? limit + 1 : no_eager_limit;
  std::vector<Question> questions;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (limit >= 0) questions.push_back({.pair = i, .bytes = within});
    if (beyond != no_eager_limit) questions.push_back({.pair = i, .bytes = beyond});
  }
  std::vector<LimitSearch> searches(pairs.size(), LimitSearch(false));
  ask(questions, pairs, laboratory, searches);
  const bool asked_there = limit == no_eager_limit || limit == within;
  for (LimitSearch& search : searches) {
    if (asked_there && search.eager() == within && search.waiting() == beyond)
      search.learn(std::min(limit, largest_limit), false);
  }
  settle(pairs, laboratory, searches);
  std::vector<Bytes> limits;
  for (const LimitSearch& search : searches) limits.push_back(search.limit());
  return limits;
}

}  // namespace tombolo
