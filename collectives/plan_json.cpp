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
  if (const auto order = node.find("order")) {
    for (const JsonNode& rank : order->list()) p.order.push_back(rank.small_integer());
  }
  if (const auto rates = node.find("rates")) {
    for (const JsonNode& rate : rates->list()) p.rates.push_back(rate.integer());
  }
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
