#include <cmath>

#include <nlohmann/json.hpp>

#include <tombolo/models/fitting/least_squares.hpp>
#include <tombolo/models/pairs/link_table.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

namespace {

LinkCost rounded(double latency, double slope) {
  return {std::llround(latency), std::llround(slope * static_cast<double>(megabyte))};
}

Json written(std::span<const LinkCost> links, bool with_latency) {
  Json json;
  if (with_latency) json["latency"] = Json::array();
  json["per_megabyte"] = Json::array();
  for (const LinkCost& link : links) {
    if (with_latency) json["latency"].push_back(link.latency);
    json["per_megabyte"].push_back(link.per_megabyte);
  }
  return json;
}

void read(const JsonNode& node, std::span<LinkCost> links, bool with_latency) {
  const std::vector<JsonNode> slopes = list_of(node.member("per_megabyte"), links.size(), "pairs");
  for (std::size_t i = 0; i < links.size(); ++i) links[i].per_megabyte = slopes[i].integer();
  if (!with_latency) return;
  const std::vector<JsonNode> latencies = list_of(node.member("latency"), links.size(), "pairs");
  for (std::size_t i = 0; i < links.size(); ++i) links[i].latency = latencies[i].integer();
}

}  // namespace

LinkTable link_table(const PairClasses& classes, std::span<const std::pair<Rank, Rank>> pairs,
                     std::span<const double> latencies, std::span<const double> slopes) {
  struct Values {
    std::vector<double> latencies;
    std::vector<double> slopes;
  };
  std::vector<Values> values(static_cast<std::size_t>(classes.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Values& of_class = values[static_cast<std::size_t>(classes.of(pairs[i].first, pairs[i].second))];
    of_class.latencies.push_back(latencies[i]);
    of_class.slopes.push_back(slopes[i]);
  }
  std::vector<LinkCost> medians;
  medians.reserve(values.size());
  for (const Values& of_class : values) {
    medians.push_back(rounded(middle_of(of_class.latencies), middle_of(of_class.slopes)));
  }
  LinkTable links(classes);
  const auto put_median = [&](Rank a, Rank b) { links.at(a, b) = medians[static_cast<std::size_t>(classes.of(a, b))]; };
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    const std::vector<Rank>& members = classes.members(cluster);
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) put_median(members[i], members[j]);
    }
    for (int other = 0; other < cluster; ++other) put_median(members.front(), classes.members(other).front());
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    if (classes.cluster_of(a) == classes.cluster_of(b)) links.at(a, b) = rounded(latencies[i], slopes[i]);
  }
  return links;
}

Json written_links(const LinkTable& links, bool latency_inside) {
  Json json;
  json["inside"] = Json::array();
  for (int cluster = 0; cluster < links.clusters(); ++cluster) {
    json["inside"].push_back(written(links.inside(cluster), latency_inside));
  }
  json["between"] = written(links.between(), true);
  return json;
}

std::vector<JsonNode> list_of(const JsonNode& node, std::size_t count, std::string_view what) {
  std::vector<JsonNode> list = node.list();
  if (list.size() != count) {
    node.refuse(fmt::format("has {} entries, where the platform has {} {}", list.size(), count, what));
  }
  return list;
}

void read_links(const JsonNode& parameters, LinkTable& links, bool latency_inside) {
  const auto clusters = static_cast<std::size_t>(links.clusters());
  const std::vector<JsonNode> inside = list_of(parameters.member("inside"), clusters, "clusters");
  for (int cluster = 0; cluster < links.clusters(); ++cluster) {
    read(inside[static_cast<std::size_t>(cluster)], links.inside(cluster), latency_inside);
  }
  read(parameters.member("between"), links.between(), true);
}

}  // namespace tombolo
