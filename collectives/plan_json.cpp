#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/plan_json.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto remedy = "choose the plans anew";

Json trees_as_json(const MappedTrees& trees) {
  Json list = Json::array();
  for (const MappedTrees::Weighted& each : trees.all()) {
    list.push_back({{"weight", each.weight}, {"order", each.tree.order()}, {"parents", each.tree.parents()}});
    if (!each.long_links.empty()) list.back()["long_links"] = each.long_links;
  }
  return {{"name", trees.name()}, {"list", std::move(list)}};
}

Json json_of(const Plan& plan) {
  const Parameters& p = plan.parameters();
  Json json = {{"algorithm", plan.algorithm().name}};
  if (p.segment_bytes > 0) json["segment_bytes"] = p.segment_bytes;
  if (p.window > 0) json["window"] = p.window;
  if (p.lanes == Lanes::per_rank) json["window_per_rank"] = true;
  if (p.radix > 0) json["radix"] = p.radix;
  if (p.delay > 0) json["delay"] = p.delay;
  if (!p.order.empty()) json["order"] = p.order;
  if (!p.rates.empty()) json["rates"] = p.rates;
  if (!p.trees.empty()) json["trees"] = trees_as_json(p.trees);
  return json;
}

std::int64_t natural(const JsonNode& node, const char* member) {
  const std::int64_t value = node.integer(member, 0);
  if (value < 0) node.refuse(fmt::format("has a {} of {}, less than 0", member, value));
  return value;
}

int small(const JsonNode& node, const char* member) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  const std::int64_t value = natural(node, member);
  if (value > most) node.refuse(fmt::format("has a {} of {}, more than {}", member, value, most));
  return static_cast<int>(value);
}

std::vector<int> small_integers(const JsonNode& node) {
  std::vector<int> all;
  for (const JsonNode& each : node.list()) all.push_back(each.small_integer());
  return all;
}

MappedTrees trees_from_json(const JsonNode& node) {
  std::vector<MappedTrees::Weighted> trees;
  for (const JsonNode& each : node.member("list").list()) {
    trees.push_back({RankTree(small_integers(each.member("order")), small_integers(each.member("parents"))),
                     each.member("weight").integer()});
    if (const auto links = each.find("long_links")) {
      for (const JsonNode& bytes : links->list()) trees.back().long_links.push_back(bytes.integer());
    }
  }
  return {node.member("name").text(), std::move(trees)};
}

}  // namespace

std::string to_json(const Plan& plan) {
  return json_of(plan).dump();
}

Plan plan_from_json(const Request& request, const JsonNode& node) {
  Parameters p;
  p.segment_bytes = natural(node, "segment_bytes");
  p.window = small(node, "window");
  const auto per_rank = node.find("window_per_rank");
  p.lanes = per_rank && per_rank->flag() ? Lanes::per_rank : Lanes::per_link;
  p.radix = small(node, "radix");
  p.delay = small(node, "delay");
  if (const auto order = node.find("order")) p.order = small_integers(*order);
  if (const auto rates = node.find("rates")) {
    for (const JsonNode& rate : rates->list()) p.rates.push_back(rate.integer());
  }
  if (const auto trees = node.find("trees")) p.trees = trees_from_json(*trees);
  return Plan(request, find_algorithm(request.operation, node.member("algorithm").text()), std::move(p));
}

std::string to_json(const std::vector<Plan>& plans) {
  Json list = Json::array();
  std::transform(plans.begin(), plans.end(), std::back_inserter(list), json_of);
  return list.dump();
}

std::vector<Plan> plans_from_json(const Request& request, std::string_view text, const std::string& name) {
  const JsonDocument document = parse_json(text, name, remedy);
  std::vector<Plan> plans;
  for (const JsonNode& node : JsonNode(document).list()) plans.push_back(plan_from_json(request, node));
  return plans;
}

}  // namespace tombolo
