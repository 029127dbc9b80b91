#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/gather_thresholds/stored_thresholds.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto remedy = "measure them anew with tombolo models --anew, or remove the section";

Json written(const Thresholds& thresholds) {
  Json json = {{"scope", thresholds.scope}, {"ranks", thresholds.ranks}};
  if (thresholds.scatter) json["scatter"] = {{"serial_above_bytes", *thresholds.scatter}};
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
  if (const auto scatter = node.find("scatter")) thresholds.scatter = scatter->member("serial_above_bytes").natural();
  if (const auto gather = node.find("gather")) read_gather(*gather, thresholds);
  return thresholds;
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
    const bool twice = std::any_of(all.begin(), all.end(), [&](const Thresholds& t) { return t.scope == one.scope; });
    if (twice) node.refuse("is of the same scope as one before");
    all.push_back(std::move(one));
  }
  return all;
}

const Thresholds* thresholds_of(const std::vector<Thresholds>& thresholds, const std::string& scope) {
  const auto found =
      std::find_if(thresholds.begin(), thresholds.end(), [&](const Thresholds& t) { return t.scope == scope; });
  return found == thresholds.end() ? nullptr : &*found;
}

std::optional<Throttle> throttle_for(const Thresholds& thresholds, const Request& request) {
  if (request.operation != Operation::gatherv || request.ranks < 2 || !request.blocks.all_known()) return std::nullopt;
  if (!thresholds.gather || thresholds.escalation == 0) return std::nullopt;
  const Bytes block = request.blocks.total() / request.ranks * request.element_bytes;
  if (block <= thresholds.gather->small || block > thresholds.gather->large) return std::nullopt;
  constexpr Bytes reserve = 2;
  __extension__ using Wide = __int128;
  const Wide fit = static_cast<Wide>(thresholds.ranks - 1) * thresholds.gather->small / reserve / block;
  if (fit >= request.ranks - 1) return std::nullopt;
  return Throttle{.window = static_cast<int>(std::clamp<Wide>(fit, 1, std::numeric_limits<int>::max())),
                  .escalation = thresholds.escalation};
}

}  // namespace tombolo
