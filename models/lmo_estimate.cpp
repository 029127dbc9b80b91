#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include <tombolo/models/least_squares.hpp>
#include <tombolo/models/lmo_estimate.hpp>
#include <tombolo/models/lmo_parameters.hpp>
#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/model_kind.hpp>
#include <tombolo/models/regular_size.hpp>

namespace tombolo {

namespace {

constexpr std::size_t few = 6;         // triplets of a rank: what they say is no statistics
constexpr int least_of_medians = 5;    // passes: a median of fewer does not leave out what is far off
constexpr double hardly_closer = 0.9;  // chance would make it 0.71
constexpr std::size_t sampled = 16;    // experiments, to see whether times vary
constexpr double quiet = 0.001;        // of a time: what varies less needs no averages

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

  // How often one pass makes an experiment.
  enum class Redundancy { of_triplets, over_links, none };

  // Which of a root's two experiments with two partners the first pass leaves out: where neither time varies, triplets
  // by turns for C and for t say as much as all for both.
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

  // Whether an even sample of the experiments takes other times when it is made once more.
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

  // To the partner that takes longer last, so that it is the one waited for whatever else the root does meanwhile.
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
    // Their order may change between passes, what they measure does not.
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
  bool everything_;                           // is measured in this pass
  std::vector<Size> later_;                   // by root
  std::vector<Experiment> round_trips_made_;  // in the last pass
  std::vector<Experiment> to_two_made_;
  Series round_trips_;
  Series to_two_;
};

// The model of the paper by the equations of the paper. The extended one has a C of its own, which equation 11 would
// halve: MPI works on the earlier reply while the later one is on its way.
template <bool extended>
nlohmann::ordered_json estimate(const Platform& platform, Laboratory& laboratory) {
  return written_lmo(estimate_lmo(
      platform, laboratory, {.extended = extended, .replies = extended ? Replies::overlapped : Replies::in_turn}));
}

template <bool extended>
std::unique_ptr<Model> make(const Platform& platform, const nlohmann::ordered_json& parameters) {
  return std::make_unique<Lmo>(read_lmo(platform, parameters, extended));
}

}  // namespace

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

}  // namespace tombolo
