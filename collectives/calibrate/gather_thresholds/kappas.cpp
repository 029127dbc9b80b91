#include <algorithm>
#include <cstddef>

#include <tombolo/collectives/calibrate/gather_thresholds/kappas.hpp>
#include <tombolo/collectives/calibrate/models/scopes.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/models/kinds/stored_models.hpp>

namespace tombolo {

namespace {

GatherSlopes modelled(const Lmo::Parameters& lmo, const Scope& scope) {
  const auto delay = [&](Rank rank) { return lmo.processors[static_cast<std::size_t>(rank)].per_megabyte; };
  const Rank root = scope.ranks.front();
  std::vector<PerMegabyte> others;
  for (std::size_t i = 1; i < scope.ranks.size(); ++i) {
    others.push_back(delay(scope.ranks[i]) + lmo.links.at(scope.ranks[i], root).per_megabyte);
  }
  return modelled_gather_slopes(delay(root), others);
}

}  // namespace

void add_kappas(std::vector<Thresholds>& thresholds, const Platform& platform) {
  const Estimates estimates = stored_estimates(platform);
  const auto found = estimates.find("lmo");
  if (found == estimates.end()) return;
  const Lmo::Parameters lmo = read_lmo(platform, found->second.parameters, false);
  const std::vector<Scope> scopes = scopes_of(platform);
  for (Thresholds& of_scope : thresholds) {
    if (!of_scope.gather || of_scope.kappas) continue;
    const auto scope =
        std::find_if(scopes.begin(), scopes.end(), [&](const Scope& s) { return s.name == of_scope.scope; });
    if (scope != scopes.end()) of_scope.kappas = gather_corrections(*of_scope.gather, modelled(lmo, *scope));
  }
}

}  // namespace tombolo
