#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/thresholds.hpp>
#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/collectives/mpi/timing/measure_thresholds.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/on_some_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::size_t fewest_ranks = 3;
constexpr Bytes precision = 16;  // of M_1, as a divisor of the first size with outliers
constexpr int scatters = 5;      // of each size; few, as the leap at S appears every time

std::vector<Bytes> sizes() {
  constexpr std::array<Bytes, 2> first = {256, 362};  // a factor of the square root of 2 apart
  constexpr int doublings = 10;
  std::vector<Bytes> sizes;
  for (int k = 0; k < doublings; ++k) {
    for (const Bytes size : first) sizes.push_back(size << k);
  }
  sizes.push_back(first[0] << doublings);
  return sizes;
}

class Search {
 public:
  using Progress = std::function<void(std::size_t done, std::size_t of)>;

  Search(MPI_Comm communicator, const ThresholdSearch& how, Progress progress)
      : timer_(communicator), how_(how), progress_(std::move(progress)) {
    check_mpi(MPI_Comm_size(communicator, &ranks_), "MPI_Comm_size");
    if (machine::simulated()) how_.repetitions = 1;
  }

  void scatter(Thresholds& found) {
    SizeTimes row;
    for (const Bytes size : sizes()) {
      const Plan plan(Request::scatterv(0, Blocks::equal(ranks_, size), 1), scatterv_flat);
      row.push_back({size, median_of(time(plan, std::min(scatters, how_.repetitions))).value});
    }
    found.scatter = scatter_threshold(row);
    if (!found.scatter) return;
    const auto next = std::ranges::upper_bound(row, *found.scatter, {}, &SizeTime::size);
    if (next != row.end()) found.above_scatter = *next;
  }

  void gather(Thresholds& found) {
    const std::vector<Bytes> all = sizes();
    for (const Bytes size : all) gathers_.push_back({size, time(size)});
    const EscalatingRow judged = confirmed(all);
    const auto first = std::ranges::find_if(judged.row, &SizeTime::escalates);
    // Unconfirmed outliers do not set the precision of M_1.
    const Bytes finest = (first == judged.row.end() ? all.back() : first->size) / precision;
    found.gather = gather_thresholds(
        judged.row, [this](std::span<const Bytes> between) { return more(between); }, finest);
    if (found.gather) found.escalation = judged.excess;
  }

 private:
  std::vector<Picoseconds> time(const Plan& plan, int repetitions) {
    progress_(done_++, planned_);
    return timer_.makespans(plan, repetitions, how_.budget);
  }
  std::vector<Picoseconds> time(Bytes size) {
    return time(Plan(Request::gatherv(0, Blocks::equal(ranks_, size), 1), gatherv_flat), how_.repetitions);
  }
  EscalatingRow confirmed(std::span<const Bytes> suspects) {
    return confirmed_escalations(gathers_, suspects, [this](Bytes size) {
      ++planned_;
      return time(size);
    });
  }

  // Classifies the new sizes together with all earlier ones.
  SizeTimes more(std::span<const Bytes> between) {
    planned_ += between.size();
    for (const Bytes size : between) gathers_.push_back({size, time(size)});
    std::ranges::sort(gathers_, {}, &RepeatedTimes::size);
    SizeTimes row = confirmed(between).row;
    std::erase_if(row, [&](const SizeTime& point) { return std::ranges::find(between, point.size) == between.end(); });
    return row;
  }

  PlanTimer timer_;
  ThresholdSearch how_;
  Progress progress_;
  std::size_t done_ = 0;
  std::size_t planned_ = 2 * sizes().size();
  int ranks_ = 1;
  std::vector<RepeatedTimes> gathers_;  // in ascending order of size
};

void check(MPI_Comm all, const Platform& platform, const ThresholdSearch& search) {
  int ranks = 0;
  check_mpi(MPI_Comm_size(all, &ranks), "MPI_Comm_size");
  if (platform.ranks() != ranks) {
    throw Error(fmt::format("a platform of {} ranks for thresholds of {}", platform.ranks(), ranks),
                "give the platform of these ranks");
  }
  if (search.repetitions < 1) {
    throw Error(fmt::format("thresholds from {} repetitions", search.repetitions), "take one or more");
  }
}

}  // namespace

std::vector<Scope> threshold_scopes(const Platform& platform) {
  std::vector<Scope> scopes = scopes_of(platform);
  std::erase_if(scopes, [](const Scope& scope) { return scope.ranks.size() < fewest_ranks; });
  return scopes;
}

std::vector<Thresholds> measure_thresholds(MPI_Comm all, const Platform& platform, const ThresholdSearch& search,
                                           const ThresholdProgress& progress) {
  check(all, platform, search);
  int rank = 0;
  check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  std::vector<Thresholds> found;
  for (const Scope& scope : threshold_scopes(platform)) {
    Platform answer;
    on_some_ranks(all, scope.ranks, [&](MPI_Comm some) {
      Thresholds measured{.scope = scope.name, .ranks = static_cast<int>(scope.ranks.size())};
      Search times(some, search, [&](std::size_t done, std::size_t of) {
        if (rank == scope.ranks.front() && progress) progress(scope, done, of);
      });
      times.scatter(measured);
      times.gather(measured);
      store_thresholds(answer, {std::move(measured)});
    });
    // One rank's result is sent to all ranks, as the fit is in floating point.
    answer.sections[thresholds_section] =
        text_from(all, scope.ranks.front(), std::move(answer.sections[thresholds_section]));
    found.push_back(stored_thresholds(answer).front());
  }
  add_kappas(found, platform);
  return found;
}

}  // namespace tombolo
