// poly_model.hpp's to_json and poly_from_json.
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/poly_model.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

namespace {

constexpr auto remedy = "make the samples anew, or remove section poly from the platform file";

PolyModel::Range read_range(const JsonNode& node, const std::vector<PolyModel::Range>& before) {
  const JsonNode from = node.member("from_bytes");
  PolyModel::Range range = {from.natural(), node.member("model").text(), node.member("error_millionths").natural(),
                            node.member("samples").small_integer()};
  if (before.empty() && range.from != 0) from.refuse(fmt::format("is {}; the first range begins at 0", range.from));
  if (!before.empty() && range.from <= before.back().from) {
    from.refuse(fmt::format("is {}, not more than the {} of the range before", range.from, before.back().from));
  }
  if (range.samples < 1) node.refuse(fmt::format("has {} samples; a range has one or more", range.samples));
  return range;
}

PolyModel::Entry read_entry(const JsonNode& node) {
  const JsonNode operation = node.member("operation");
  const auto known = find_operation(operation.text());
  if (!known) operation.refuse(fmt::format("is {}, which is no operation", tombolo::quoted(operation.text())));
  PolyModel::Entry entry = {node.member("scope").text(), *known, node.text("algorithm", {}), {}};
  const JsonNode ranges = node.member("ranges");
  for (const JsonNode& range : ranges.list()) entry.ranges.push_back(read_range(range, entry.ranges));
  if (entry.ranges.empty()) ranges.refuse("holds no ranges");
  return entry;
}

}  // namespace

std::string to_json(const PolyModel& poly) {
  using Json = nlohmann::ordered_json;
  Json entries = Json::array();
  for (const PolyModel::Entry& entry : poly.entries) {
    Json json = {{"scope", entry.scope}, {"operation", std::string(name(entry.operation))}};
    if (!entry.algorithm.empty()) json["algorithm"] = entry.algorithm;
    json["ranges"] = Json::array();
    for (const PolyModel::Range& range : entry.ranges) {
      json["ranges"].push_back({{"from_bytes", range.from},
                                {"model", range.model},
                                {"error_millionths", range.error},
                                {"samples", range.samples}});
    }
    entries.push_back(std::move(json));
  }
  return entries.dump(-1, ' ', false, Json::error_handler_t::replace);
}

PolyModel poly_from_json(std::string_view text, const std::string& name) {
  const JsonDocument document = parse_json(text, name, remedy);
  PolyModel poly;
  for (const JsonNode& node : JsonNode(document).list()) {
    PolyModel::Entry entry = read_entry(node);
    for (const PolyModel::Entry& other : poly.entries) {
      const auto what = [](const PolyModel::Entry& e) { return std::tie(e.scope, e.operation, e.algorithm); };
      if (what(other) == what(entry)) node.refuse("is of the same scope, operation and algorithm as one before");
    }
    poly.entries.push_back(std::move(entry));
  }
  return poly;
}

}  // namespace tombolo
