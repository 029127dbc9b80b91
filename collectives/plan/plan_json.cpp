#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/plan/parameter_table.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

namespace {

constexpr auto remedy = "choose the plans anew";

Json trees_as_json(const MappedTrees& trees) {
  Json list = Json::array();
  for (const MappedTrees::Weighted& each : trees.all()) {
    list.push_back({{"weight", each.weight}, {"order", each.tree.order()}, {"parents", each.tree.parents()}});
    if (!each.long_links.empty()) list.back()["long_links"] = each.long_links;
  }
  return {{"name", trees.name()}, {"list", std::move(list)}};
}

// As trees, one for each level, in which the first rank of a group is the parent of the others.
Json groups_as_json(const NestedGroups& groups) {
  Json list = Json::array();
  for (const Partition& partition : groups.partitions()) {
    std::vector<Rank> order;
    std::vector<int> parents;
    for (const std::vector<Rank>& group : partition) {
      const auto first = static_cast<int>(order.size());
      for (const Rank rank : group) {
        parents.push_back(static_cast<int>(order.size()) == first ? -1 : first);
        order.push_back(rank);
      }
    }
    list.push_back({{"weight", 1}, {"order", order}, {"parents", parents}});
  }
  return {{"name", groups.name()}, {"list", std::move(list)}};
}

Json detours_as_json(const Detours& detours) {
  Json pairs = Json::array();
  for (const Detours::Pair& pair : detours.pairs()) {
    Json ways = Json::array();
    for (const Detours::Way& way : pair.ways) {
      ways.push_back({{"over", way.over}, {"weight", way.weight}, {"window", way.window}});
    }
    pairs.push_back(
        {{"from", pair.from}, {"to", pair.to}, {"segment_bytes", pair.segment_bytes}, {"ways", std::move(ways)}});
  }
  return {{"clusters", detours.clusters()}, {"relays", detours.relays()}, {"pairs", std::move(pairs)}};
}

Json json_of(const Plan& plan) {
  const Parameters& p = plan.parameters();
  Json json = {{"algorithm", plan.algorithm().name}};
  for (const ParameterRow& row : parameter_rows()) {
    const std::int64_t value = row.get(p);
    if (value > 0) json[row.name] = row.is_flag() ? Json(true) : Json(value);
  }
  if (!p.order.empty()) json["order"] = p.order;
  if (!p.rates.empty()) json["rates"] = p.rates;
  if (!p.trees.empty()) json["trees"] = trees_as_json(p.trees);
  if (!p.groups.empty()) json["trees"] = groups_as_json(p.groups);
  if (!p.detours.empty()) json["detours"] = detours_as_json(p.detours);
  return json;
}

std::int64_t scalar_from_json(const JsonNode& node, const ParameterRow& row) {
  if (row.is_flag()) {
    const auto flag = node.find(row.name);
    return flag && flag->flag() ? 1 : 0;
  }
  constexpr std::int64_t most_int = std::int64_t{1} << 30;
  const std::int64_t value = node.integer(row.name, 0);
  if (value < 0) node.refuse(fmt::format("has a {} of {}, less than 0", row.name, value));
  if (row.is_int && value > most_int) {
    node.refuse(fmt::format("has a {} of {}, more than {}", row.name, value, most_int));
  }
  return value;
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

Partition partition_from_json(const JsonNode& node) {
  Partition all;
  for (const JsonNode& each : node.list()) all.push_back(small_integers(each));
  return all;
}

Detours detours_from_json(const JsonNode& node) {
  std::vector<Detours::Pair> pairs;
  for (const JsonNode& each : node.member("pairs").list()) {
    pairs.push_back({.from = each.member("from").small_integer(),
                     .to = each.member("to").small_integer(),
                     .segment_bytes = each.member("segment_bytes").integer(),
                     .ways = {}});
    for (const JsonNode& way : each.member("ways").list()) {
      pairs.back().ways.push_back({.over = small_integers(way.member("over")),
                                   .weight = way.member("weight").integer(),
                                   .window = way.member("window").small_integer()});
    }
  }
  return {partition_from_json(node.member("clusters")), partition_from_json(node.member("relays")), std::move(pairs)};
}

NestedGroups groups_of(const MappedTrees& trees) {
  std::vector<Partition> partitions;
  for (const MappedTrees::Weighted& each : trees.all()) partitions.push_back(each.tree.ranks_by_root());
  return {trees.name(), std::move(partitions)};
}

}  // namespace

std::vector<std::string_view> plan_members() {
  std::vector<std::string_view> members{"algorithm", "detours", "order", "rates", "trees"};
  for (const ParameterRow& row : parameter_rows()) members.push_back(row.name);
  return members;
}

std::string to_json(const Plan& plan) {
  return json_of(plan).dump();
}

Plan plan_from_json(const Request& request, const JsonNode& node) {
  Parameters p;
  for (const ParameterRow& row : parameter_rows()) row.set(p, scalar_from_json(node, row));
  if (const auto order = node.find("order")) p.order = small_integers(*order);
  if (const auto rates = node.find("rates")) {
    for (const JsonNode& rate : rates->list()) p.rates.push_back(rate.integer());
  }
  if (const auto trees = node.find("trees")) p.trees = trees_from_json(*trees);
  if (const auto detours = node.find("detours")) p.detours = detours_from_json(*detours);
  const Algorithm& algorithm = find_algorithm(request.operation, node.member("algorithm").text());
  if (algorithm.follows_groups() && !p.trees.empty()) p.groups = groups_of(std::exchange(p.trees, {}));
  return Plan(request, algorithm, std::move(p));
}

std::string to_json(const std::vector<Plan>& plans) {
  Json list = Json::array();
  std::ranges::transform(plans, std::back_inserter(list), json_of);
  return list.dump();
}

std::vector<Plan> plans_from_json(const Request& request, std::string_view text, const std::string& name) {
  const JsonDocument document = parse_json(text, name, remedy);
  std::vector<Plan> plans;
  for (const JsonNode& node : JsonNode(document).list()) plans.push_back(plan_from_json(request, node));
  return plans;
}

}  // namespace tombolo
