#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr auto remedy = "measure them anew with tombolo models --anew, or remove the section";

Json written(const Thresholds& thresholds) {
  Json json = {{"scope", thresholds.scope}, {"ranks", thresholds.ranks}};
  if (thresholds.scatter) json["scatter"] = {{"serial_above_bytes", *thresholds.scatter}};
  if (thresholds.scatter && thresholds.above_scatter) {
    json["scatter"]["next_bytes"] = thresholds.above_scatter->size;
    json["scatter"]["next_ps"] = thresholds.above_scatter->time;
  }
  if (!thresholds.gather) return json;
  Json& gather = json["gather"];
  gather = {{"small_bytes", thresholds.gather->small},
            {"large_bytes", thresholds.gather->large},
            {"small_slope_ps_per_megabyte", thresholds.gather->small_slope},
            {"large_slope_ps_per_megabyte", thresholds.gather->large_slope},
            {"escalation_ps", thresholds.escalation}};
  if (thresholds.kappas) {
    gather["small_kappa_ps_per_megabyte"] = thresholds.kappas->small;
    gather["large_kappa_ps_per_megabyte"] = thresholds.kappas->large;
  }
  return json;
}

void read_gather(const JsonNode& node, Thresholds& thresholds) {
  thresholds.gather = {.small = node.member("small_bytes").natural(),
                       .large = node.member("large_bytes").natural(),
                       .small_slope = node.member("small_slope_ps_per_megabyte").integer(),
                       .large_slope = node.member("large_slope_ps_per_megabyte").integer()};
  if (thresholds.gather->small > thresholds.gather->large) {
    node.refuse(fmt::format("has small_bytes {}, more than large_bytes {}", thresholds.gather->small,
                            thresholds.gather->large));
  }
  thresholds.escalation = node.member("escalation_ps").natural();
  if (node.find("small_kappa_ps_per_megabyte")) {
    thresholds.kappas = {.small = node.member("small_kappa_ps_per_megabyte").integer(),
                         .large = node.member("large_kappa_ps_per_megabyte").integer()};
  }
}

Thresholds read_one(const JsonNode& node) {
  Thresholds thresholds;
  thresholds.scope = node.member("scope").text();
  const JsonNode ranks = node.member("ranks");
  thresholds.ranks = ranks.small_integer();
  if (thresholds.ranks < 2) ranks.refuse(fmt::format("is {}; a gather takes two ranks and more", thresholds.ranks));
  if (const auto scatter = node.find("scatter")) {
    thresholds.scatter = scatter->member("serial_above_bytes").natural();
    if (scatter->find("next_bytes")) {
      thresholds.above_scatter = {.size = scatter->member("next_bytes").natural(),
                                  .time = scatter->member("next_ps").natural()};
    }
  }
  if (const auto gather = node.find("gather")) read_gather(*gather, thresholds);
  return thresholds;
}

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

void store_thresholds(Platform& platform, const std::vector<Thresholds>& thresholds) {
  Json list = Json::array();
  for (const Thresholds& of_scope : thresholds) list.push_back(written(of_scope));
  platform.sections[thresholds_section] = list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<Thresholds> stored_thresholds(const Platform& platform) {
  const auto found = platform.sections.find(thresholds_section);
  if (found == platform.sections.end()) return {};
  const JsonDocument document =
      parse_json(found->second, fmt::format("the platform's section \"{}\"", thresholds_section), remedy);
  std::vector<Thresholds> all;
  for (const JsonNode& node : JsonNode(document).list()) {
    Thresholds one = read_one(node);
    const bool twice = std::ranges::any_of(all, [&](const Thresholds& t) { return t.scope == one.scope; });
    if (twice) node.refuse("is of the same scope as one before");
    all.push_back(std::move(one));
  }
  return all;
}

const Thresholds* thresholds_of(const std::vector<Thresholds>& thresholds, const std::string& scope) {
  const auto found = std::ranges::find(thresholds, scope, &Thresholds::scope);
  return found == thresholds.end() ? nullptr : &*found;
}

std::optional<Throttle> throttle_for(const Thresholds& thresholds, const Request& request) {
  if (request.operation != Operation::gatherv || request.ranks < 2 || !request.blocks.all_known()) return std::nullopt;
  if (!thresholds.gather || thresholds.escalation == 0) return std::nullopt;
  const Bytes block = request.blocks.total() / request.ranks * request.element_bytes;
  if (block <= thresholds.gather->small || block > thresholds.gather->large) return std::nullopt;
  constexpr Bytes reserve = 2;
  const Wide fit = static_cast<Wide>(thresholds.ranks - 1) * thresholds.gather->small / reserve / block;
  if (fit >= request.ranks - 1) return std::nullopt;
  return Throttle{.window = static_cast<int>(std::clamp<Wide>(fit, 1, std::numeric_limits<int>::max())),
                  .escalation = thresholds.escalation};
}

std::optional<GatherSlopes> kappas_by(const Lmo::Parameters& lmo, const Thresholds& thresholds,
                                      const std::vector<Scope>& scopes) {
  const auto scope = std::ranges::find(scopes, thresholds.scope, &Scope::name);
  if (!thresholds.gather || scope == scopes.end()) return std::nullopt;
  return gather_corrections(*thresholds.gather, modelled(lmo, *scope));
}

void add_kappas(std::vector<Thresholds>& thresholds, const Platform& platform) {
  const Estimates estimates = stored_estimates(platform);
  const auto found = estimates.find("lmo");
  if (found == estimates.end()) return;
  const Lmo::Parameters lmo = read_lmo(platform, found->second.parameters, false);
  const std::vector<Scope> scopes = scopes_of(platform);
  for (Thresholds& of_scope : thresholds) {
    if (!of_scope.kappas) of_scope.kappas = kappas_by(lmo, of_scope, scopes);
  }
}

}  // namespace tombolo
