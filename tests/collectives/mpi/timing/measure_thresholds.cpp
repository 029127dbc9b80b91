#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <mpi.h>

#include <tombolo/collectives/mpi/timing/measure_thresholds.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/units.hpp>

#include "collectives/mpi/world.hpp"
#include "models/figured_platform.hpp"
#include "models/random_models.hpp"
#include "support/agree.hpp"

using namespace tombolo;
using test::agreed;
using test::World;

namespace {

// One gather and one scatter of each size: what they find is chance, what is asserted must not be.
constexpr ThresholdSearch once = {.repetitions = 1, .budget = 0};

constexpr Bytes smallest = 256;
constexpr Bytes largest = Bytes{256} * 1024;
constexpr std::size_t first_row = 21;

// One cluster of all ranks; and, from two ranks on, two of them, to which ranks belong by turns.
std::vector<Platform> platforms(int ranks) {
  std::vector<Platform> all{flat_cluster(ranks)};
  if (ranks < 2) return all;
  const std::vector<int> even(static_cast<std::size_t>((ranks + 1) / 2), 1);
  const std::vector<int> odd(static_cast<std::size_t>(ranks / 2), 1);
  all.push_back(clusters_of_hosts({even, odd}));
  return all;
}

// How far the search in a scope said that it was.
struct Step {
  std::string scope;
  std::size_t done = 0;
  std::size_t of = 0;
};

bool same_on_all(const std::vector<Thresholds>& mine) {
  Platform written;
  store_thresholds(written, mine);
  const std::string text = written.sections[thresholds_section];
  return text_from(MPI_COMM_WORLD, 0, text) == text;
}

bool is_possible(const Thresholds& found) {
  const auto measured = [](Bytes size) { return smallest <= size && size <= largest; };
  if (found.scatter && !measured(*found.scatter)) return false;
  if (!found.gather) return found.escalation == 0 && !found.kappas;
  return measured(found.gather->small) && measured(found.gather->large) && found.gather->small <= found.gather->large &&
         found.escalation >= 0;
}

// Every size of the first rows once, gathers that seem to escalate once more; then what lies in between, which is
// halved three times, twice at most.
bool is_bounded(const std::vector<Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].done != i || steps[i].of <= i) return false;
    if (i > 0 && steps[i].of < steps[i - 1].of) return false;
  }
  constexpr std::size_t least = 2 * first_row;
  return steps.size() >= least && steps.size() <= least + first_row + first_row * 2 * (1 + 2 + 4);
}

}  // namespace

TEST_CASE("every scope of three ranks and more has thresholds that can be, the same on all ranks") {
  const World world;
  for (const Platform& platform : platforms(world.ranks)) {
    std::vector<Scope> scopes = scopes_of(platform);
    std::erase_if(scopes, [](const Scope& scope) { return scope.ranks.size() < 3; });
    std::vector<Step> steps;
    const std::vector<Thresholds> found =
        measure_thresholds(MPI_COMM_WORLD, platform, once, [&](const Scope& scope, std::size_t done, std::size_t of) {
          steps.push_back({scope.name, done, of});
        });
    CHECK(agreed(same_on_all(found)));
    CHECK(agreed(found.size() == scopes.size() && threshold_scopes(platform) == scopes));
    bool good = found.size() == scopes.size();
    for (std::size_t i = 0; good && i < scopes.size(); ++i) {
      good = found[i].scope == scopes[i].name && found[i].ranks == static_cast<int>(scopes[i].ranks.size()) &&
             !found[i].kappas && is_possible(found[i]);
      // The first of its ranks says how far it is, the others nothing.
      std::vector<Step> of_scope;
      for (const Step& step : steps) {
        if (step.scope == scopes[i].name) of_scope.push_back(step);
      }
      good = good && (world.rank == scopes[i].ranks.front() ? is_bounded(of_scope) : of_scope.empty());
    }
    CHECK(agreed(good));
  }
}

TEST_CASE("where the platform has an LMO model, thresholds of gathers have kappas by it") {
  const World world;
  Platform platform = with_figures(flat_cluster(world.ranks), 3);
  store_estimates(platform, {{"lmo", {written_lmo(RandomModels(platform, 4).lmo(false).parameters()), {}}}});
  const std::vector<Thresholds> found = measure_thresholds(MPI_COMM_WORLD, platform, once);
  CHECK(agreed(same_on_all(found)));
  CHECK(agreed(found.size() == (world.ranks < 3 ? 0 : 1)));
  for (const Thresholds& of_scope : found) CHECK(agreed(of_scope.kappas.has_value() == of_scope.gather.has_value()));
}

TEST_CASE("a search that cannot be made is refused on all ranks") {
  const World world;
  const auto refused = [](const Platform& platform, const ThresholdSearch& search) {
    bool thrown = false;
    try {
      measure_thresholds(MPI_COMM_WORLD, platform, search);
    } catch (const Error&) {
      thrown = true;
    }
    return agreed(thrown);
  };
  CHECK(refused(flat_cluster(world.ranks + 1), once));
  CHECK(refused(flat_cluster(world.ranks), {.repetitions = 0}));
}
