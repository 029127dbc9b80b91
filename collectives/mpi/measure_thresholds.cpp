#include <algorithm>
#include <array>
#include <memory>

#include <tombolo/collectives/escalations.hpp>
#include <tombolo/collectives/mpi/makespan.hpp>
#include <tombolo/collectives/mpi/measure_thresholds.hpp>
#include <tombolo/models/lmo_parameters.hpp>
#include <tombolo/models/stored_models.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/on_some_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/sample.hpp>

namespace tombolo {

namespace {

constexpr std::size_t fewest_ranks = 3;
constexpr Bytes precision = 16;  // of M_1, as a part of the first size that escalates
constexpr int scatters = 5;      // of each size; S leaps every time

std::vector<Bytes> sizes() {
  constexpr std::array<Bytes, 2> first = {256, 362};  // by the square root of 2 apart
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
  Search(MPI_Comm communicator, const ThresholdSearch& how) : timer_(communicator), how_(how) {
    check_mpi(MPI_Comm_size(communicator, &ranks_), "MPI_Comm_size");
    if (machine::simulated()) how_.repetitions = 1;
  }

  std::optional<Bytes> scatter() {
    SizeTimes row;
    for (const Bytes size : sizes()) {
      const Plan plan(Request::scatterv(0, Blocks::equal(ranks_, size), 1), scatterv_flat);
      row.push_back({size, median_of(timer_.makespans(plan, std::min(scatters, how_.repetitions), how_.budget)).value});
    }
    return scatter_threshold(row);
  }

  void gather(Thresholds& found) {
    const std::vector<Bytes> all = sizes();
    for (const Bytes size : all) gathers_.push_back({size, time(size)});
    const EscalatingRow judged = confirmed(all);
    const auto first =
        std::find_if(judged.row.begin(), judged.row.end(), [](const SizeTime& p) { return p.escalates; });
    const Bytes finest = first == judged.row.end() ? 1 : std::max<Bytes>(first->size / precision, 1);
    found.gather = gather_thresholds(
        judged.row, [this](std::span<const Bytes> between) { return more(between); }, finest);
    if (found.gather) found.escalation = judged.excess;
  }

 private:
  std::vector<Picoseconds> time(Bytes size) {
    const Plan plan(Request::gatherv(0, Blocks::equal(ranks_, size), 1), gatherv_flat);
    return timer_.makespans(plan, how_.repetitions, how_.budget);
  }
  EscalatingRow confirmed(std::span<const Bytes> suspects) {
    return confirmed_escalations(gathers_, suspects, [this](Bytes size) { return time(size); });
  }

  // Judged beside all that has been measured so far.
  SizeTimes more(std::span<const Bytes> between) {
    for (const Bytes size : between) gathers_.push_back({size, time(size)});
    std::sort(gathers_.begin(), gathers_.end(),
              [](const RepeatedTimes& a, const RepeatedTimes& b) { return a.size < b.size; });
    SizeTimes row = confirmed(between).row;
    std::erase_if(row, [&](const SizeTime& point) {
      return std::find(between.begin(), between.end(), point.size) == between.end();
    });
    return row;
  }

  PlanTimer timer_;
  ThresholdSearch how_;
  int ranks_ = 1;
  std::vector<RepeatedTimes> gathers_;  // of ascending sizes
};

std::optional<GatherSlopes> corrections(const Platform& platform, const Scope& scope, const GatherThresholds& gather) {
  const Estimates estimates = stored_estimates(platform);
  const auto lmo = estimates.find("lmo");
  if (lmo == estimates.end()) return std::nullopt;
  const Lmo::Parameters parameters = read_lmo(platform, lmo->second.parameters, false);
  const auto delay = [&](Rank rank) { return parameters.processors[static_cast<std::size_t>(rank)].per_megabyte; };
  const Rank root = scope.ranks.front();
  std::vector<PerMegabyte> others;
  for (std::size_t i = 1; i < scope.ranks.size(); ++i) {
    others.push_back(delay(scope.ranks[i]) + parameters.links.at(scope.ranks[i], root).per_megabyte);
  }
  return gather_corrections(gather, modelled_gather_slopes(delay(root), others));
}

Thresholds measured(MPI_Comm communicator, const Platform& platform, const Scope& scope, const ThresholdSearch& how) {
  Thresholds found{.scope = scope.name, .ranks = static_cast<int>(scope.ranks.size())};
  Search search(communicator, how);
  found.scatter = search.scatter();
  search.gather(found);
  if (found.gather) found.kappas = corrections(platform, scope, *found.gather);
  return found;
}

}  // namespace

std::vector<Thresholds> measure_thresholds(MPI_Comm all, const Platform& platform, const ThresholdSearch& search,
                                           const std::function<void(const Scope&)>& progress) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  std::vector<Thresholds> found;
  for (const Scope& scope : scopes_of(platform)) {
    if (scope.ranks.size() < fewest_ranks) continue;
    Platform answer;
    on_some_ranks(all, scope.ranks, [&](MPI_Comm some) {
      if (rank == scope.ranks.front() && progress) progress(scope);
      store_thresholds(answer, {measured(some, platform, scope, search)});
    });
    // Fitted with floating point, so one rank's result is all ranks'.
    answer.sections[thresholds_section] =
        text_from(all, scope.ranks.front(), std::move(answer.sections[thresholds_section]));
    found.push_back(stored_thresholds(answer).front());
  }
  return found;
}

}  // namespace tombolo
