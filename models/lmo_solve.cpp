#include <algorithm>
#include <cmath>

#include <tombolo/models/least_squares.hpp>
#include <tombolo/models/lmo_solve.hpp>

namespace tombolo {

namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// A root, its two partners, and the pairs that they make.
struct View {
  Rank root, left, right;
  std::size_t to_left, to_right, across;
};

View view(const LmoDesign& design, const LmoDesign::Root& root) {
  const std::array<Rank, 3>& triplet = design.triplets[at(root.triplet)];
  const Rank i = triplet[at(root.place)];
  const Rank j = triplet[at((root.place + 1) % 3)];
  const Rank k = triplet[at((root.place + 2) % 3)];
  return {i, j, k, design.pair(i, j), design.pair(i, k), design.pair(j, k)};
}

// Half the 95 % interval of their average. Of a rank's values, those that share a partner share a round trip; so not
// all count as independent, but about as many as there are partners. The deviation is from medians where values may be
// far off.
double half_interval(const std::vector<double>& values, Averaging averaging) {
  if (values.size() < 2) return 0;
  const auto count = static_cast<double>(values.size());
  const double middle = averaged(values, averaging);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  double deviation = 1.4826 * middle_of(distances);
  if (averaging == Averaging::mean) {
    double squares = 0;
    for (const double distance : distances) squares += distance * distance;
    deviation = std::sqrt(squares / (count - 1));
  }
  return 1.96 * deviation / std::sqrt(std::sqrt(2 * count));
}

class Solver {
 public:
  Solver(const PairClasses& classes, const LmoDesign& design, const LmoTimes& times, Bytes size,
         const LmoOptions& options)
      : classes_(classes),
        design_(design),
        times_(times),
        size_(static_cast<double>(size)),
        options_(options),
        fixed_(design.by_rank.size()),
        variable_(design.by_rank.size()) {}

  LmoSolution solve() {
    if (design_.roots.empty()) {
      if (!design_.pairs.empty()) fixed_ = {times_.empty.front() / 4, times_.empty.front() / 4};
    } else {
      find_fixed();
      find_variable();
    }
    LmoSolution solution{.parameters = {.processors = {}, .links = links(), .extended = options_.extended},
                         .spread = spread_ / static_cast<double>(std::max<std::size_t>(fixed_.size(), 1))};
    for (std::size_t rank = 0; rank < fixed_.size(); ++rank) {
      solution.parameters.processors.push_back({std::llround(fixed_[rank]), per_megabyte(variable_[rank])});
    }
    return solution;
  }

 private:
  PerMegabyte per_megabyte(double per_byte) const { return std::llround(per_byte * megabyte); }
  // How many C of the root the answers add to a round trip's.
  double shares() const { return options_.replies == Replies::in_turn ? 2 : 1; }

  // Adds how far a rank's values are apart, as a part of their average, or of a tenth of what a message takes at all.
  void add_spread(const std::vector<double>& values, double average, double message) {
    spread_ = spread_ + half_interval(values, options_.averaging) / std::max({std::abs(average), message / 10, 1e-300});
  }

  void find_fixed() {
    for (std::size_t rank = 0; rank < fixed_.size(); ++rank) {
      std::vector<double> values;
      double message = 0;
      for (const std::size_t root : design_.by_rank[rank]) {
        if (options_.extended && times_.empty_to_two[root] == 0) continue;
        const View v = view(design_, design_.roots[root]);
        const double left = times_.empty[v.to_left];
        const double right = times_.empty[v.to_right];
        values.push_back(options_.extended ? (times_.empty_to_two[root] - std::max(left, right)) / shares()
                                           : (left + right - times_.empty[v.across]) / 4);  // equation 7
        message = std::max({message, left / 2, right / 2});
      }
      fixed_[rank] = std::max(0.0, averaged(values, options_.averaging));
      add_spread(values, fixed_[rank], message);
    }
  }

  void find_variable() {  // equations 13 to 15
    for (std::size_t rank = 0; rank < variable_.size(); ++rank) {
      std::vector<double> values;
      double message = 0;
      for (const std::size_t root : design_.by_rank[rank]) {
        if (times_.full_to_two[root] == 0) continue;
        const View v = view(design_, design_.roots[root]);
        const double longer = std::max(times_.full[v.to_left], times_.full[v.to_right]);
        values.push_back((times_.full_to_two[root] - longer - shares() * fixed_[rank]) / size_);
        message = std::max(message, longer / size_ / 2);
      }
      variable_[rank] = averaged(values, options_.averaging);
      add_spread(values, variable_[rank], message);
    }
  }

  // Latency of a pair, and what it and its bytes take beyond the processors' fixed parts, per byte.
  double latency(std::size_t pair) const {
    const auto [a, b] = design_.pairs[pair];
    return times_.empty[pair] / 2 - fixed_[at(a)] - fixed_[at(b)];
  }
  double variable(std::size_t pair, double latency_of_pair) const {
    const auto [a, b] = design_.pairs[pair];
    return (times_.full[pair] - 2 * (fixed_[at(a)] + fixed_[at(b)] + latency_of_pair)) / size_;
  }

  LinkTable links() const {
    std::vector<double> latencies(design_.pairs.size());
    for (std::size_t pair = 0; pair < latencies.size(); ++pair) {
      const auto [a, b] = design_.pairs[pair];
      const bool near = classes_.cluster_of(a) == classes_.cluster_of(b);
      latencies[pair] = options_.extended || !near ? latency(pair) : 0;
    }
    std::vector<double> slopes(design_.pairs.size());
    for (std::size_t pair = 0; pair < slopes.size(); ++pair) {
      const auto [a, b] = design_.pairs[pair];
      slopes[pair] = variable(pair, latencies[pair]) - variable_[at(a)] - variable_[at(b)];  // equation 16
    }
    return link_table(classes_, design_.pairs, latencies, slopes);
  }

  const PairClasses& classes_;
  const LmoDesign& design_;
  const LmoTimes& times_;
  double size_;
  const LmoOptions& options_;
  std::vector<double> fixed_;     // by rank
  std::vector<double> variable_;  // by rank
  double spread_ = 0;
};

}  // namespace

LmoSolution solve_lmo(const PairClasses& classes, const LmoDesign& design, const LmoTimes& times, Bytes size,
                      const LmoOptions& options) {
  return Solver(classes, design, times, size, options).solve();
}

}  // namespace tombolo
