#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/collectives/calibrate/linear_gather.hpp>
#include <tombolo/collectives/calibrate/platform_model.hpp>
#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/models/kinds/over_shared_links.hpp>

namespace tombolo {

namespace {

// True if a scatter above S, as measured, is nearer to the sum of equation 8 than to its maximum. Times break also
// where the root's link becomes slower than its processor, and then messages still pass in parallel.
bool goes_one_by_one(const Lmo& lmo, const std::vector<Rank>& ranks, const SizeTime& scatter) {
  Picoseconds in_turn = 0;
  Picoseconds at_root = 0;
  Picoseconds longest = 0;
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    const Picoseconds whole = message_time(lmo, ranks.front(), ranks[i], scatter.size);
    const Picoseconds send = lmo.message(ranks.front(), ranks[i], scatter.size).send;
    in_turn = plus(in_turn, whole);
    at_root = plus(at_root, send);
    longest = std::max(longest, whole - send);
  }
  return scatter.time >= std::midpoint(in_turn, plus(at_root, longest));
}

Lmo::Parameters with_scatter_thresholds(Lmo::Parameters lmo, const std::vector<const Level*>& clusters,
                                        const std::vector<const Thresholds*>& by_cluster) {
  const Lmo parallel(lmo);
  for (std::size_t cluster = 0; cluster < clusters.size(); ++cluster) {
    const Thresholds* thresholds = by_cluster[cluster];
    if (thresholds == nullptr || !thresholds->scatter) continue;
    const auto& above = thresholds->above_scatter;
    if (above && !goes_one_by_one(parallel, clusters[cluster]->ranks, *above)) continue;
    lmo.serialised_inside.resize(clusters.size());
    auto& inside = lmo.serialised_inside[cluster];
    if (!inside) inside = thresholds->scatter;
  }
  return lmo;
}

std::optional<MeasuredGather> measured_gather(const std::vector<Scope>& scopes, const Lmo::Parameters& lmo,
                                              const Thresholds* thresholds) {
  if (thresholds == nullptr || !thresholds->gather) return std::nullopt;
  const bool stored = !lmo.extended && thresholds->kappas;
  const auto kappas = stored ? thresholds->kappas : kappas_by(lmo, *thresholds, scopes);
  if (!kappas) return std::nullopt;
  return MeasuredGather{.ranks = thresholds->ranks, .thresholds = *thresholds->gather, .kappas = *kappas};
}

}  // namespace

const Model& PlatformModel::for_algorithm(const Algorithm& algorithm) const {
  const bool gathers = algorithm.floods && algorithm.operation == Operation::gatherv;
  return gathers && linear_gather != nullptr ? *linear_gather : *usual;
}

PlatformModel platform_model(const Platform& platform, const Estimates& estimates, const std::string& name) {
  const bool extended = name == lmo_extended_model.name;
  const auto estimate = estimates.find(name);
  const bool is_lmo = extended || name == lmo_model.name;
  const auto thresholds = is_lmo ? stored_thresholds(platform) : std::vector<Thresholds>();
  if (thresholds.empty() || estimate == estimates.end()) return {stored_model(platform, estimates, name)};
  const Lmo::Parameters lmo = read_lmo(platform, estimate->second.parameters, extended);
  std::vector<const Thresholds*> by_cluster;
  std::vector<std::optional<MeasuredGather>> gathers;
  bool any = false;
  const std::vector<const Level*> levels = clusters(platform.levels);
  const std::vector<Scope> scopes = scopes_of(platform);
  for (const Level* cluster : levels) {
    by_cluster.push_back(thresholds_of(thresholds, cluster->name));
    gathers.push_back(measured_gather(scopes, lmo, by_cluster.back()));
    any = any || gathers.back();
  }
  auto serialised = std::make_unique<Lmo>(with_scatter_thresholds(lmo, levels, by_cluster));
  PlatformModel model{OverSharedLinks::wrap(platform, std::move(serialised))};
  if (any) model.linear_gather = std::make_unique<LinearGather>(platform, *model.usual, std::move(gathers));
  return model;
}

}  // namespace tombolo
