#include <algorithm>

#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/lmo/lmo.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

namespace {

constexpr const char* serialised = "serialised_above";

// Adds values that may be negative. Values are far from overflow, or saturated at +-never.
Picoseconds sum(Picoseconds a, Picoseconds b) {
  if (a > 0 && b > 0) return plus(a, b);
  return a < 0 && b < -never - a ? -never : a + b;
}

}  // namespace

Lmo::Lmo(Parameters parameters) : parameters_(std::move(parameters)) {
  check_positive("memory rate", parameters_.memory_rate, "B/s");
  check_not_negative("threshold S", parameters_.serialised_above.value_or(0), "bytes");
  for (const auto& inside : parameters_.serialised_inside)
    check_not_negative("threshold S", inside.value_or(0), "bytes");
  Picoseconds fixed = 0;
  Picoseconds latency = 0;
  for (const Delays& processor : parameters_.processors) {
    check_not_negative("processing delay C", processor.fixed, "ps");
    fixed = std::max(fixed, processor.fixed);
  }
  for (const LinkCost& link : parameters_.links.cells()) latency = std::max(latency, link.latency);
  longest_latency_ = plus(plus(fixed, fixed), latency);
}

std::string Lmo::describe() const {
  return fmt::format("LMO{}: {} ranks, {} links, latencies up to {}", parameters_.extended ? " with latencies" : "",
                     parameters_.processors.size(), parameters_.links.cells().size(), readable(longest_latency_));
}

Bytes Lmo::serialised_above(Rank from, Rank to) const {
  const Bytes all = parameters_.serialised_above.value_or(never);
  if (parameters_.serialised_inside.empty()) return all;
  const std::optional<int> cluster = parameters_.links.cluster_of(from, to);
  if (!cluster) return all;
  return std::min(all, parameters_.serialised_inside[static_cast<std::size_t>(*cluster)].value_or(never));
}

MessageCost Lmo::message(Rank from, Rank to, Bytes bytes) const {
  const LinkCost& link = parameters_.links.at(from, to);
  const Delays& sender = parameters_.processors[static_cast<std::size_t>(from)];
  const Delays& receiver = parameters_.processors[static_cast<std::size_t>(to)];
  const Picoseconds send = sum(sender.fixed, time_for(bytes, sender.per_megabyte));
  const Picoseconds wire = sum(link.latency, time_for(bytes, link.per_megabyte));
  const Picoseconds receive = time_for(bytes, receiver.per_megabyte);
  const Picoseconds total = sum(sum(send, wire), sum(receive, receiver.fixed));
  MessageCost cost = total_cost({.overhead = sender.fixed,
                                 .send = std::max<Picoseconds>(send, 0),
                                 .receive = receive,
                                 .receive_overhead = receiver.fixed},
                                total);
  if (bytes > serialised_above(from, to)) cost.send = std::max(cost.send, total);
  return cost;
}

Json written_lmo(const Lmo::Parameters& parameters) {
  Json json;
  json["fixed"] = Json::array();
  json["variable"] = Json::array();
  for (const Lmo::Delays& processor : parameters.processors) {
    json["fixed"].push_back(processor.fixed);
    json["variable"].push_back(processor.per_megabyte);
  }
  if (parameters.serialised_above) json[serialised] = *parameters.serialised_above;
  json.update(written_links(parameters.links, parameters.extended));
  for (std::size_t cluster = 0; cluster < parameters.serialised_inside.size(); ++cluster) {
    const auto& threshold = parameters.serialised_inside[cluster];
    if (threshold) json["inside"][cluster][serialised] = *threshold;
  }
  return json;
}

Lmo::Parameters read_lmo(const Platform& platform, const Json& parameters, bool extended) {
  const JsonDocument document = parameters_document(extended ? "lmo-extended" : "lmo", parameters);
  const JsonNode root(document);
  const auto ranks = static_cast<std::size_t>(platform.ranks());
  Lmo::Parameters found{.processors = {}, .links = LinkTable(PairClasses(platform)), .extended = extended};
  const std::vector<JsonNode> fixed = list_of(root.member("fixed"), ranks, "ranks");
  const std::vector<JsonNode> variable = list_of(root.member("variable"), ranks, "ranks");
  for (std::size_t i = 0; i < ranks; ++i) found.processors.push_back({fixed[i].integer(), variable[i].integer()});
  if (const auto threshold = root.find(serialised)) found.serialised_above = threshold->integer();
  read_links(root, found.links, extended);
  const std::vector<JsonNode> inside = root.member("inside").list();
  for (std::size_t cluster = 0; cluster < inside.size(); ++cluster) {
    const auto threshold = inside[cluster].find(serialised);
    if (!threshold) continue;
    found.serialised_inside.resize(inside.size());
    found.serialised_inside[cluster] = threshold->integer();
  }
  found.memory_rate = memory_rate_of(platform);
  return found;
}

}  // namespace tombolo
