#include "matmul/method.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/framework/partition/rectangles.hpp>
#include <tombolo/framework/program/plan/array_room.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

#include "matmul/columns.hpp"
#include "matmul/rank_sets.hpp"
#include "output.hpp"

namespace tombolo::matmul {

namespace {

constexpr double most_packed = Bytes{32} << 20;  // by a thread of BLAS, of one factor; kept from call to call
constexpr double infinity = std::numeric_limits<double>::infinity();
/// How the tasks of columns are cut (declare_columns()).
struct Cut {
  int panels = 0;  ///< 0: the usual number
  int stages = 1;
  auto operator<=>(const Cut&) const = default;
};
// Looked at while they gain.
constexpr std::array more_panels = {Cut{8}, Cut{16}};
constexpr std::array fewer_panels = {Cut{2}, Cut{1}};
constexpr std::array stages_of_c = {Cut{0, 4}, Cut{0, 8}};  // where a root collects C
constexpr double worth_a_panel = 0.05;                      // seconds: a panel costs messages and calls of gemm
// Columns must gain more than this part of what messages add to rows: they are more tasks, each with an error.
constexpr double doubt_of_columns = 0.05;
// Columns must also gain more than this part of the whole: on one rank both ways are the same.
constexpr double worth_columns = 1e-3;

ProgramOptions program_options(const Options& options, const char* kernel, const Speeds& speeds) {
  return {.shares = options.run.shares,
          .collectives = options.run.collectives,
          .panels = options.panels > 1 ? options.panels : 0,
          .overlap = options.panels != 1,
          .trace = options.trace,
          .speeds = {{kernel, speeds}}};
}

template <class T>
std::unique_ptr<Program> new_program(Session& session, const Options& options, const Speeds& speeds, int least_panels) {
  ProgramOptions chosen = program_options(options, gemm_kernel<T>(), speeds);
  chosen.panels = std::max(chosen.panels, least_panels);
  return std::make_unique<Program>(session, "matmul", chosen);
}

template <class T>
Declared<T> rows(Session& session, const Options& options, const Problem& problem, const Speeds& speeds) {
  Declared<T> way{
      .program = new_program<T>(session, options, speeds, 0), .matrices = {}, .algorithm = "rows", .parts_of_c = {}};
  way.matrices = declare_rows<T>(*way.program, problem.shape, options.held, options.root);
  return way;
}

template <class T>
Declared<T> columns(Session& session, const Options& options, const Problem& problem, const Speeds& speeds,
                    const Rectangles& rectangles, const Cut& cut) {
  // Panels are tasks here: the arrangement has one, and need not try others.
  Declared<T> way{.program = new_program<T>(session, options, speeds, 1),
                  .matrices = {},
                  .algorithm = "columns",
                  .parts_of_c = rectangles.parts};
  way.matrices =
      declare_columns<T>(*way.program, problem.shape, rectangles, options.held, options.root, cut.panels, cut.stages);
  return way;
}

Rectangles rectangles_of(const Platform& platform, const GemmShape& shape, const RankSet& set) {
  const MatrixShape c{shape.m, shape.n};
  return {set.nested ? nested_partition(c, set.speeds, platform.levels) : column_partition(c, set.speeds),
          set.clusters};
}

double seconds_of_computing(const GemmShape& shape, const std::vector<Part>& parts, const Speeds& speeds) {
  double longest = 0;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].elements() == 0) continue;
    const GemmShape mine{.m = parts[rank].rows, .n = parts[rank].columns, .k = shape.k};
    longest = std::max(longest, flops(mine) / static_cast<double>(speeds[rank]));
  }
  return longest;
}

/// Returns true if what a rank has and needs of A, B and C, and copies for its cluster, fit in the memory of each.
bool fits(const GemmShape& shape, const Options& options, const Rectangles& rectangles, double element,
          std::span<const double> memory) {
  const auto k = static_cast<double>(shape.k);
  const auto m = static_cast<double>(shape.m);
  const auto n = static_cast<double>(shape.n);
  for (std::size_t rank = 0; rank < memory.size(); ++rank) {
    const auto rows = static_cast<double>(rectangles.parts[rank].rows);
    const auto columns = static_cast<double>(rectangles.parts[rank].columns);
    const double needed = (rows + columns) * k * (options.held == Held::root || !rectangles.clusters.empty() ? 2 : 1);
    const double whole = m * k + k * n + m * n;
    const bool has_all = options.held == Held::root && static_cast<Rank>(rank) == options.root;
    const double held = has_all ? whole : rows * columns > 0 ? rows / m * columns / n * whole : 0;
    if ((needed + held) * element > memory[rank]) return false;
  }
  return true;
}

template <class T>
double most_needed(Session& session, const Options& options, const GemmShape& shape, const Declared<T>& product) {
  return std::ranges::max(of_all_ranks(session.communicator(), bytes_needed(session, options, shape, product)));
}

/// A way to be compared.
template <class T>
struct Way {
  std::string name;
  std::function<Declared<T>()> declare;
  double computing = 0;  ///< as in Forecast; of rows these two are known after their prediction
  double needs = 0;
  std::string left_out = {};
};

/// Predicts ways and keeps the fastest of those that need no more than `most` bytes on any rank.
template <class T>
class Comparison {
 public:
  Comparison(Session& session, const Options& options, const GemmShape& shape, double most)
      : session_(session), options_(options), shape_(shape), most_(most) {}

  bool limited() const { return most_ > 0; }
  /// Looks at ways in this order while `goes_on` returns true for their times; infinity: the way was left out. As many
  /// are predicted at a time as there are ranks to do it, with the same outcome.
  void look_at(std::vector<Way<T>> ways, const std::function<bool(double)>& goes_on) {
    const bool alone = session_.imagined() || machine::simulated();
    const std::size_t at_once = alone ? 1 : static_cast<std::size_t>(session_.ranks());
    for (std::size_t first = 0; first < ways.size(); first += at_once) {
      const std::span<Way<T>> some = std::span(ways).subspan(first, std::min(at_once, ways.size() - first));
      std::vector<Declared<T>> declared(some.size());
      std::vector<Program*> programs;
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (is_slow(some[i]) || !some[i].left_out.empty()) continue;
        declared[i] = some[i].declare();
        programs.push_back(declared[i].program.get());
      }
      const std::vector<ProgramForecast> forecasts = Program::predict(programs);
      auto forecast = forecasts.begin();
      for (std::size_t i = 0; i < some.size(); ++i) {
        const ProgramForecast its = declared[i].program ? *forecast++ : ProgramForecast{};
        if (!goes_on(compare(some[i], std::move(declared[i]), its))) return;
      }
    }
  }
  Found<T> found() {
    if (!best_.program) return {{}, least_needed_};
    best_.program->plan();
    std::rotate(forecasts_.begin(), forecasts_.begin() + static_cast<std::ptrdiff_t>(chosen_),
                forecasts_.begin() + static_cast<std::ptrdiff_t>(chosen_) + 1);
    std::stable_sort(forecasts_.begin() + 1, forecasts_.end(),
                     [](const Forecast& a, const Forecast& b) { return a.predicted_s < b.predicted_s; });
    if (options_.method != Method::rows) best_.compared = std::move(forecasts_);
    return {std::move(best_), least_needed_};
  }

 private:
  // The time from which on a way of columns is not taken.
  double least() const {
    if (!best_.program) return infinity;
    const Forecast& best = forecasts_[chosen_];
    const double messages = std::max(best.predicted_s - best.computing_s, 0.0);
    return best_.algorithm == "rows" ? best.predicted_s * (1 - worth_columns) - doubt_of_columns * messages
                                     : best.predicted_s;
  }
  bool is_slow(const Way<T>& way) const { return way.computing >= least(); }
  double leave_out(const Way<T>& way, const std::string& why) {
    forecasts_.push_back({way.name, way.computing, way.computing, way.needs, why});
    return infinity;
  }
  double compare(Way<T>& way, Declared<T> declared, const ProgramForecast& forecast) {
    if (is_slow(way)) return leave_out(way, "computation alone takes too long");
    if (!way.left_out.empty()) return leave_out(way, way.left_out);
    if (declared.algorithm == "rows") {
      const auto [m, n, k] = shape_;
      way.computing = forecast.computing_s;
      way.needs = (static_cast<double>(m) * static_cast<double>(k) +
                   forecast.computing_ranks * static_cast<double>(k) * static_cast<double>(n)) *
                  sizeof(T);
    }
    if (limited()) {
      declared.program->plan();
      const double needed = most_needed(session_, options_, shape_, declared);
      least_needed_ = std::min(least_needed_, needed);
      if (needed > most_) return leave_out(way, "memory is short");
    }
    if (forecast.seconds < least()) {
      chosen_ = forecasts_.size();
      best_ = std::move(declared);
    }
    forecasts_.push_back({way.name, forecast.seconds, way.computing, way.needs, {}});
    return forecast.seconds;
  }

  Session& session_;
  const Options& options_;
  GemmShape shape_;
  double most_;
  double least_needed_ = infinity;
  std::vector<Forecast> forecasts_;
  std::size_t chosen_ = 0;
  Declared<T> best_;
};

/// Finds the fastest way: looks at rows, at columns on all sets of ranks, and at the fastest of these in other numbers
/// of panels and stages.
template <class T>
class Search {
 public:
  Search(Session& session, const Options& options, const Problem& problem, const Speeds& speeds,
         Comparison<T>& comparison)
      : session_(session), options_(options), problem_(problem), speeds_(speeds), comparison_(comparison) {}

  void look_at_ways() {
    std::vector<Way<T>> ways;
    if (options_.method != Method::columns) {
      ways.push_back({"rows", [this] { return rows<T>(session_, options_, problem_, speeds_); }});
    }
    if (options_.method == Method::rows) {
      comparison_.look_at(std::move(ways), [](double) { return true; });
      return;
    }
    sets_ = rank_sets(session_.discover_or_load(), options_, speeds_);
    if (!comparison_.limited()) memory_ = memory_of_ranks(session_);
    look_at_sets(std::move(ways));
    if (fastest_.set == nullptr || options_.panels != 0 || options_.stages != 0) return;
    if (!gain(more_panels)) gain(fewer_panels);
    if (options_.held == Held::root) gain(stages_of_c);
  }

 private:
  /// Columns on a set of ranks: their best time, and how they were cut so far.
  struct Columns {
    const RankSet* set = nullptr;
    double seconds = infinity;
    std::set<Cut> cuts = {};
  };

  /// Looks at other ways, then at columns on each set.
  void look_at_sets(std::vector<Way<T>> ways) {
    const std::size_t others = ways.size();
    std::vector<Columns> all;
    for (const RankSet& set : sets_) {
      ways.push_back(*new_way(all.emplace_back(Columns{&set}), {options_.panels, std::max(options_.stages, 1)}));
    }
    std::size_t number = 0;
    comparison_.look_at(std::move(ways), [&](double time) {
      const std::size_t at = number++;
      if (at < others || time >= fastest_.seconds) return true;
      fastest_ = std::move(all[at - others]);
      fastest_.seconds = time;
      return true;
    });
  }

  /// Looks at the fastest columns cut otherwise, one after the other while they become faster. Returns whether any did.
  bool gain(std::span<const Cut> cuts) {
    const double before = fastest_.seconds;
    std::vector<Way<T>> ways;
    for (const Cut& cut : cuts) {
      if (auto way = new_way(fastest_, cut)) ways.push_back(std::move(*way));
    }
    comparison_.look_at(std::move(ways), [&](double time) {
      const bool goes_on = time == infinity || time < fastest_.seconds;
      fastest_.seconds = std::min(fastest_.seconds, time);
      return goes_on;
    });
    return fastest_.seconds < before;
  }

  /// Returns columns in so many panels, or in fewer if the product takes few seconds; none if it was there before.
  std::optional<Way<T>> new_way(Columns& columns_on, Cut cut) {
    const RankSet& set = *columns_on.set;
    const Rectangles rectangles = rectangles_of(session_.platform(), problem_.shape, set);
    const double computing = seconds_of_computing(problem_.shape, rectangles.parts, speeds_);
    const double needs =
        static_cast<double>(half_perimeters(rectangles.parts)) * static_cast<double>(problem_.shape.k) * sizeof(T);
    cut.panels = panels_of_columns(problem_.shape, cut.panels);
    if (options_.panels == 0) {
      const double seconds = columns_on.seconds < infinity ? columns_on.seconds : computing;
      cut.panels = static_cast<int>(std::clamp<double>(seconds / worth_a_panel, 1, cut.panels));
    }
    if (!columns_on.cuts.insert(cut).second) return {};
    return Way<T>{
        fmt::format("{}, {}{}", set.name, counted(cut.panels, "panel"),
                    cut.stages > 1 ? fmt::format(", C in {} stages", cut.stages) : ""),
        [this, rectangles, cut] { return columns<T>(session_, options_, problem_, speeds_, rectangles, cut); },
        computing, needs, fits(problem_.shape, options_, rectangles, sizeof(T), memory_) ? "" : "memory is short"};
  }

  Session& session_;
  const Options& options_;
  const Problem& problem_;
  const Speeds& speeds_;
  Comparison<T>& comparison_;
  std::vector<RankSet> sets_;
  std::vector<double> memory_;  // free on each rank; empty within a limit, which Comparison heeds
  Columns fastest_;
};

}  // namespace

template <class T>
double bytes_needed(Session& session, const Options& options, const GemmShape& shape, const Declared<T>& product) {
  const Program& program = *product.program;
  if (!program.takes_part()) return 0;
  const Arrangement& arrangement = program.arrangement();
  const Rank member = arrangement.member(session.rank());
  double arrays = 0;
  for (const ArrayRoom& room : rooms_of(program.declaration(), arrangement, member)) arrays += room.bytes;
  const bool all = arrangement.ranks() == session.ranks();
  const auto planner = all ? session.planner() : session.planner()->on(arrangement.members);
  const RunRoom run = room_of_run(program.declaration(), arrangement, *planner, member);
  const int threads = session.processors()[static_cast<std::size_t>(session.rank())].threads;
  const double rows = static_cast<double>(shape.m) * static_cast<double>(shape.k) * sizeof(T);
  const double packed = std::min(rows, most_packed * threads);
  const double verified = bytes_to_verify(session, options, shape, program);
  return arrays + run.scratch + packed + std::max(run.buffers, verified);
}

template <class T>
Found<T> find_product(Session& session, const Options& options, const Problem& problem,
                      const std::vector<FlopsPerSecond>& speeds, double most) {
  Comparison<T> comparison(session, options, problem.shape, most);
  Search<T>(session, options, problem, speeds, comparison).look_at_ways();
  return comparison.found();
}

template <class T>
Declared<T> declare_product(Session& session, const Options& options, const Problem& problem,
                            const std::vector<FlopsPerSecond>& speeds) {
  Found<T> found = find_product<T>(session, options, problem, speeds);
  if (!found.product.program) {
    throw AgreedError(
        fmt::format("a product by columns of {} x {} by {} x {} needs more memory than these ranks have; "
                    "take more ranks, or --algorithm rows",
                    problem.shape.m, problem.shape.k, problem.shape.k, problem.shape.n));
  }
  return std::move(found.product);
}

#define TOMBOLO_FOR(T)                                                                                                \
  template Found<T> find_product(Session&, const Options&, const Problem&, const std::vector<FlopsPerSecond>&,        \
                                 double);                                                                             \
  template Declared<T> declare_product(Session&, const Options&, const Problem&, const std::vector<FlopsPerSecond>&); \
  template double bytes_needed(Session&, const Options&, const GemmShape&, const Declared<T>&);
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
#undef TOMBOLO_FOR

}  // namespace tombolo::matmul
