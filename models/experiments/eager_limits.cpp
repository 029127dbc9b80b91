#include <array>
#include <optional>
#include <set>

#include <tombolo/models/experiments/eager_limits.hpp>

namespace tombolo {

namespace {

constexpr Bytes first_guess = 1024;
// Without a message that waits, sizes up to here are tested before larger ones.
constexpr Bytes first_ceiling = Bytes{1} << 17;
// From this size on a sixteenth is exact enough for a limit that no other pair shares.
constexpr Bytes exact_below = Bytes{1} << 16;
constexpr Bytes exact_enough = 16;
// Sizes that are tested together on the fastest pairs: ranks that agree on the next size take longer than its test.
constexpr int together = 15;

// Search state of a pair's limit.
class LimitSearch {
 public:
  explicit LimitSearch(bool to_the_byte) : to_the_byte_(to_the_byte) {}

  // What did not wait is certain; a message that something else delayed only seems to wait.
  void learn(Bytes bytes, bool waits) {
    if (!waits) {
      found_.eager = std::max(found_.eager, bytes);
      if (found_.waiting <= found_.eager) found_.waiting = no_eager_limit;
    } else if (bytes > found_.eager) {
      found_.waiting = std::min(found_.waiting, bytes);
    }
  }
  /// The next size to test, unless settled.
  Bytes next() const {
    if (found_.eager < 0) return 0;
    if (found_.waiting == no_eager_limit) return std::clamp(2 * found_.eager, first_guess, largest_limit);
    return found_.eager + (found_.waiting - found_.eager) / 2;
  }
  /// The next sizes, if many at a time cost little; ascending.
  std::vector<Bytes> next_together() const {
    std::vector<Bytes> sizes;
    if (found_.waiting == no_eager_limit) {
      const Bytes ceiling = found_.eager < first_ceiling ? first_ceiling : largest_limit;
      if (found_.eager < 0) sizes.push_back(0);
      for (Bytes size = std::max(2 * found_.eager, first_guess); size <= ceiling; size *= 2) sizes.push_back(size);
      if (sizes.empty()) sizes.push_back(ceiling);
      return sizes;
    }
    if (found_.eager < 0) return {0};
    const Bytes apart = found_.waiting - found_.eager;
    const Bytes parts = std::min<Bytes>(apart, together + 1);
    for (Bytes i = 1; i < parts; ++i) sizes.push_back(found_.eager + apart * i / parts);
    return sizes;
  }
  bool settled(bool late = false) const {
    if (found_.waiting == no_eager_limit) return found_.eager >= largest_limit;
    const bool to_the_byte = !late && (to_the_byte_ || found_.eager < exact_below);
    const Bytes enough = to_the_byte ? 1 : std::max<Bytes>(found_.eager / exact_enough, 1);
    return found_.waiting - found_.eager <= enough;
  }
  const EagerLimit& found() const { return found_; }

 private:
  bool to_the_byte_;
  EagerLimit found_;
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

// The time of a question, in seconds: the first execution is not timed, and receivers are late in each.
double duration(const Question& question, const std::vector<SampledPair>& pairs) {
  const SampledPair& pair = pairs[question.pair];
  return 2 * seconds(pair.with_late_receiver(Experiment::Kind::late_receive, question.bytes).delay);
}

// The shortest questions that there is time for, should they have to be asked one after the other.
std::vector<Question> affordable(std::vector<Question> questions, const std::vector<SampledPair>& pairs,
                                 double seconds_left) {
  std::ranges::stable_sort(
      questions, [&](const Question& a, const Question& b) { return duration(a, pairs) < duration(b, pairs); });
  std::size_t count = 0;
  while (count < questions.size() && (seconds_left -= duration(questions[count], pairs)) >= 0) ++count;
  questions.resize(count);
  return questions;
}

}  // namespace

std::vector<EagerLimit> limits_by_kind(const std::vector<SampledPair>& pairs, const TimeLeft& left,
                                       Laboratory& laboratory) {
  std::vector<LimitSearch> searches(pairs.size(), LimitSearch(true));
  std::array<std::optional<std::size_t>, 2> fastest;  // by inside_host
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::optional<std::size_t>& best = fastest[pairs[i].inside_host ? 1 : 0];
    if (!best || pairs[i].expected(largest_limit) < pairs[*best].expected(largest_limit)) best = i;
  }
  for (;;) {
    std::vector<Question> questions;
    const bool late = left.seconds() <= 0;
    for (const auto& pair : fastest) {
      if (!pair || searches[*pair].settled(late)) continue;
      for (const Bytes bytes : searches[*pair].next_together()) questions.push_back({.pair = *pair, .bytes = bytes});
    }
    if (questions.empty()) break;
    ask(questions, pairs, laboratory, searches);
  }
  std::vector<EagerLimit> limits;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t first = *fastest[pairs[i].inside_host ? 1 : 0];
    limits.push_back(searches[first].found());
    limits.back().own = i == first;
  }
  return limits;
}

int correct_limits(const std::vector<SampledPair>& pairs, const std::vector<std::size_t>& which, const TimeLeft& left,
                   Laboratory& laboratory, std::vector<EagerLimit>& limits) {
  std::vector<LimitSearch> searches(pairs.size(), LimitSearch(false));
  std::vector<Question> questions;
  std::set<std::size_t> open;
  for (const std::size_t i : which) {
    if (limits[i].own) continue;
    open.insert(i);
    for (const Bytes bytes : {limits[i].eager, limits[i].waiting}) {
      if (bytes >= 0 && bytes <= largest_limit) questions.push_back({.pair = i, .bytes = bytes});
    }
  }
  while (!questions.empty()) {
    const std::vector<Question> asked = affordable(std::move(questions), pairs, left.seconds());
    if (asked.empty()) break;
    ask(asked, pairs, laboratory, searches);
    questions.clear();
    std::erase_if(open, [&](std::size_t i) { return searches[i].settled(); });
    for (const std::size_t i : open) questions.push_back({.pair = i, .bytes = searches[i].next()});
  }
  for (const std::size_t i : which) {
    if (limits[i].own || open.contains(i)) continue;
    limits[i] = searches[i].found();
    limits[i].own = true;
  }
  return static_cast<int>(open.size());
}

}  // namespace tombolo
