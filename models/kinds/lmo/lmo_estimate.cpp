#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <nlohmann/json.hpp>

#include <tombolo/models/fitting/least_squares.hpp>
#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/lmo/lmo_estimate.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

namespace {

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

// A root, its two partners, and the indices of their three pairs.
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

// Half the 95 % interval of the average. Values of a rank that share a partner share a round trip, so the number of
// independent values is about the number of partners. Averages other than the mean use the median absolute deviation.
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
  // Number of C of the root that the answers add to the time of a round trip.
  double shares() const { return options_.replies == Replies::in_turn ? 2 : 1; }

  // Adds the spread of a rank's values, relative to their average or to a tenth of a message time, whichever is larger.
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

  // latency(): latency of a pair. variable(): time per byte beyond the fixed parts and the latency.
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

constexpr std::size_t few = 6;         // triplets of a rank: too few for statistics
constexpr int least_of_medians = 5;    // passes: a median of fewer does not exclude outliers
constexpr double hardly_closer = 0.9;  // chance would make it 0.71
constexpr std::size_t sampled = 16;    // experiments, to detect varying times
constexpr double quiet = 0.001;        // relative; less variation needs no averages

class Passes {
 public:
  Passes(const PairClasses& classes, const LmoDesign& design, Laboratory& laboratory, Bytes size,
         const LmoOptions& options)
      : classes_(classes),
        design_(design),
        laboratory_(laboratory),
        size_(size),
        options_(options),
        everything_(!options.extended || options.averaging != Averaging::mean),
        later_(design.roots.size()) {
    for (const std::vector<std::size_t>& roots : design.by_rank) {
      for (std::size_t i = 0; i < roots.size() && roots.size() >= 2 * few; ++i) {
        later_[roots[i]] = i % 2 == 0 ? Size::empty : Size::full;
      }
    }
  }

  LmoSolution make() {
    const int least = options_.averaging == Averaging::mean ? 1 : least_of_medians;
    LmoSolution solution = once();
    everything_ = true;
    const double first = solution.spread;
    if (least == 1 && (first <= options_.precision || !times_vary())) return solution;
    for (int pass = 2; pass <= options_.passes; ++pass) {
      if (pass > least && solution.spread <= options_.precision) break;
      solution = once();
      if (pass == std::max(2, least) && solution.spread > hardly_closer * first) break;
    }
    return solution;
  }

 private:
  // The times of one experiment in all passes so far.
  using Series = std::vector<std::vector<double>>;

  // The source of redundancy for an experiment; determines its repetitions within a pass.
  enum class Redundancy { of_triplets, over_links, none };

  // The one-to-two experiment of a root that the first pass omits. Without noise, alternating triplets for C and for t
  // give as much information as all triplets for both.
  enum class Size { none, empty, full };

  bool left_out(const std::vector<Experiment>& experiments, std::size_t at) const {
    if (everything_ || experiments[at].kind != Experiment::Kind::one_to_two) return false;
    return later_[at % later_.size()] == (at < later_.size() ? Size::full : Size::empty);
  }

  Redundancy redundancy(const Experiment& experiment) const {
    const auto is = [&](auto property) {
      return property(experiment.a) || (experiment.kind != Experiment::Kind::one_to_two && property(experiment.b));
    };
    if (is([&](Rank rank) { return design_.by_rank[static_cast<std::size_t>(rank)].size() < few; })) {
      return Redundancy::none;
    }
    const bool far = is([&](Rank rank) { return classes_.members(classes_.cluster_of(rank)).size() < 3; }) ||
                     classes_.cluster_of(experiment.a) != classes_.cluster_of(experiment.b);
    return far ? Redundancy::over_links : Redundancy::of_triplets;
  }

  void run_part(const std::vector<Experiment>& experiments, Redundancy which, const Repeat& repeat, Series& into) {
    std::vector<Experiment> part;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < experiments.size(); ++i) {
      if (left_out(experiments, i) || redundancy(experiments[i]) != which) continue;
      part.push_back(experiments[i]);
      places.push_back(i);
    }
    if (part.empty()) return;
    const std::vector<Measured> times = laboratory_.run(part, repeat);
    for (std::size_t i = 0; i < places.size(); ++i) into[places[i]].push_back(static_cast<double>(times[i].value));
  }

  std::vector<double> run(const std::vector<Experiment>& experiments, Series& series) {
    series.resize(experiments.size());
    run_part(experiments, Redundancy::of_triplets, {.least = 1, .most = 1}, series);
    run_part(experiments, Redundancy::over_links, {.least = 4, .most = 50, .precision = options_.precision}, series);
    run_part(experiments, Redundancy::none, {.least = 8, .most = 400, .precision = options_.precision / 4}, series);
    std::vector<double> times;
    times.reserve(series.size());
    for (const std::vector<double>& values : series) times.push_back(averaged(values, options_.averaging));
    return times;
  }

  // True if an even sample of the experiments takes different times when repeated.
  bool times_vary() {
    std::vector<double> changes;
    add_changes(round_trips_made_, round_trips_, changes);
    add_changes(to_two_made_, to_two_, changes);
    return !changes.empty() && middle_of(changes) > quiet;
  }

  void add_changes(const std::vector<Experiment>& experiments, const Series& series, std::vector<double>& changes) {
    std::vector<std::size_t> made;
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (!series[i].empty()) made.push_back(i);
    }
    if (made.empty()) return;
    std::vector<Experiment> again;
    std::vector<double> before;
    const std::size_t count = std::min(sampled, made.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = made[(2 * i + 1) * made.size() / (2 * count)];
      again.push_back(experiments[at]);
      before.push_back(series[at].back());
    }
    const std::vector<Measured> times = laboratory_.run(again, {.least = 1, .most = 1});
    for (std::size_t i = 0; i < count; ++i) {
      changes.push_back(std::abs(static_cast<double>(times[i].value) / std::max(before[i], 1.0) - 1));
    }
  }

  // Sends to the slower partner last, so that the root waits for that partner regardless of its other work.
  void add_to_two(std::vector<Experiment>& experiments, const std::vector<double>& round_trips, Bytes size) const {
    for (const LmoDesign::Root& root : design_.roots) {
      const auto& triplet = design_.triplets[static_cast<std::size_t>(root.triplet)];
      const auto partner = [&](int step) { return triplet[static_cast<std::size_t>((root.place + step) % 3)]; };
      Experiment experiment{.kind = Experiment::Kind::one_to_two, .a = partner(0), .b = partner(1), .c = partner(2)};
      if (round_trips[design_.pair(experiment.a, experiment.b)] >
          round_trips[design_.pair(experiment.a, experiment.c)]) {
        std::swap(experiment.b, experiment.c);
      }
      experiment.there = size;
      experiments.push_back(experiment);
    }
  }

  LmoSolution once() {
    round_trips_made_.clear();
    for (const Bytes size : {Bytes{0}, size_}) {
      for (const auto& [a, b] : design_.pairs) round_trips_made_.push_back({.a = a, .b = b, .there = size});
    }
    const std::vector<double> both = run(round_trips_made_, round_trips_);
    const auto half = both.begin() + static_cast<std::ptrdiff_t>(design_.pairs.size());
    LmoTimes times{.empty = {both.begin(), half}, .full = {half, both.end()}, .empty_to_two = {}, .full_to_two = {}};
    // The order may change between passes; the measured quantities do not.
    to_two_made_.clear();
    add_to_two(to_two_made_, times.full, size_);
    if (options_.extended) add_to_two(to_two_made_, times.empty, 0);
    const std::vector<double> all = run(to_two_made_, to_two_);
    const auto roots = all.begin() + static_cast<std::ptrdiff_t>(design_.roots.size());
    times.full_to_two.assign(all.begin(), roots);
    times.empty_to_two.assign(roots, all.end());
    return solve_lmo(classes_, design_, times, size_, options_);
  }

  const PairClasses& classes_;
  const LmoDesign& design_;
  Laboratory& laboratory_;
  Bytes size_;
  const LmoOptions& options_;
  bool everything_;                           // measured in this pass; else see `later_`
  std::vector<Size> later_;                   // by root
  std::vector<Experiment> round_trips_made_;  // in the last pass
  std::vector<Experiment> to_two_made_;
  Series round_trips_;
  Series to_two_;
};

// The model of the paper uses the paper's equations. The extended model has a separate C, which equation 11 would
// halve: MPI processes the earlier reply while the later one is in flight.
template <bool extended>
Json estimate(const Platform& platform, Laboratory& laboratory) {
  return written_lmo(estimate_lmo(
      platform, laboratory, {.extended = extended, .replies = extended ? Replies::overlapped : Replies::in_turn}));
}

template <bool extended>
std::unique_ptr<Model> make(const Platform& platform, const Json& parameters) {
  return std::make_unique<Lmo>(read_lmo(platform, parameters, extended));
}

}  // namespace

LmoSolution solve_lmo(const PairClasses& classes, const LmoDesign& design, const LmoTimes& times, Bytes size,
                      const LmoOptions& options) {
  return Solver(classes, design, times, size, options).solve();
}

Lmo::Parameters estimate_lmo(const Platform& platform, Laboratory& laboratory, const LmoOptions& options) {
  const PairClasses classes(platform);
  const LmoDesign design = lmo_design(classes, platform.ranks());
  const Bytes size = options.size > 0 ? options.size : regular_size(classes, laboratory);
  Lmo::Parameters parameters = Passes(classes, design, laboratory, size, options).make().parameters;
  parameters.memory_rate = memory_rate_of(platform);
  return parameters;
}

const ModelKind lmo_model = {
    "lmo", "C_i + M t_i + M / beta_ij + M t_j + C_j; processors and links apart, but no latency inside clusters",
    estimate<false>, make<false>};

const ModelKind lmo_extended_model = {
    "lmo-extended", "C_i + M t_i + L_ij + M / beta_ij + M t_j + C_j; no contention, no change of protocol",
    estimate<true>, make<true>};

double averaged(std::vector<double> values, Averaging averaging) {
  if (values.empty()) return 0;
  if (averaging == Averaging::median) return middle_of(values);
  const auto cut = averaging == Averaging::trimmed ? static_cast<std::ptrdiff_t>(values.size() / 5) : 0;
  if (cut > 0) std::ranges::sort(values);
  const double sum = std::accumulate(values.begin() + cut, values.end() - cut, 0.0);
  return sum / static_cast<double>(values.size() - 2 * static_cast<std::size_t>(cut));
}

}  // namespace tombolo
