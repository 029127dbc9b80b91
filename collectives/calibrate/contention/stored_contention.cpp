#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/contention/stored_contention.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto remedy = "time total exchanges anew with tombolo models, or remove the section";

std::string gamma_member(std::size_t kind) {
  return fmt::format("{}_gamma_millionths", name(static_cast<LinkKind>(kind)));
}

ScopeContention read_one(const JsonNode& node) {
  ScopeContention contention;
  contention.scope = node.member("scope").text();
  const JsonNode ranks = node.member("ranks");
  contention.ranks = ranks.small_integer();
  if (contention.ranks < 2) ranks.refuse(fmt::format("is {}; an exchange takes two ranks and more", contention.ranks));
  contention.links.latency = node.member("latency_ps").natural();
  for (std::size_t kind = 0; kind < link_kinds; ++kind) {
    contention.links.gamma.at(kind) = node.member(gamma_member(kind)).natural();
  }
  contention.links.delta = node.member("delta_ps").natural();
  contention.links.threshold = node.member("threshold_bytes").natural();
  return contention;
}

}  // namespace

void store_contention(Platform& platform, const std::vector<ScopeContention>& contention) {
  Json list = Json::array();
  for (const ScopeContention& one : contention) {
    Json& json = list.emplace_back(Json{{"scope", one.scope}, {"ranks", one.ranks}, {"latency_ps", one.links.latency}});
    for (std::size_t kind = 0; kind < link_kinds; ++kind) json[gamma_member(kind)] = one.links.gamma.at(kind);
    json["delta_ps"] = one.links.delta;
    json["threshold_bytes"] = one.links.threshold;
  }
  platform.sections[contention_section] = list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<ScopeContention> stored_contention(const Platform& platform) {
  const auto found = platform.sections.find(contention_section);
  if (found == platform.sections.end()) return {};
  const JsonDocument document =
      parse_json(found->second, fmt::format("the platform's section \"{}\"", contention_section), remedy);
  std::vector<ScopeContention> all;
  for (const JsonNode& node : JsonNode(document).list()) {
    ScopeContention one = read_one(node);
    if (contention_of(all, one.scope) != nullptr) node.refuse("is of the same scope as one before");
    all.push_back(std::move(one));
  }
  return all;
}

const LinkContention* contention_of(const std::vector<ScopeContention>& contention, const std::string& scope) {
  const auto found = std::find_if(contention.begin(), contention.end(),
                                  [&](const ScopeContention& one) { return one.scope == scope; });
  return found == contention.end() ? nullptr : &found->links;
}

}  // namespace tombolo
