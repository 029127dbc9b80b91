#include <algorithm>
#include <memory>

#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/model_kind.hpp>
#include <tombolo/models/multiport_estimate.hpp>
#include <tombolo/models/parameters.hpp>
#include <tombolo/models/ports_estimate.hpp>
#include <tombolo/models/protocol_estimate.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::ordered_json;

Json written(const Platform& platform, const Multiport::Parameters& parameters) {
  Json json = written_by_class(ByClass<Multiport::Protocol>(platform, parameters.protocols), [](const auto& protocol) {
    Json entry;
    entry["waits_from"] = protocol.eager + 1;
    entry["handshake"] = protocol.handshake;
    if (protocol.small_awaits) entry["small_after_posting"] = protocol.small_after_posting;
    if (protocol.large_awaits) entry["large_after_posting"] = protocol.large_after_posting;
    return entry;
  });
  json["together"] = parameters.ports.together;
  json["back"] = parameters.ports.back;
  return json;
}

std::vector<int> figures(const JsonNode& list, int clusters, int least, int most) {
  std::vector<int> found;
  for (const JsonNode& node : list.list()) {
    found.push_back(node.small_integer());
    if (found.back() < least || found.back() > most) node.refuse(fmt::format("is not within {} and {}", least, most));
  }
  if (found.size() != static_cast<std::size_t>(clusters)) {
    list.refuse(fmt::format("has {} entries for {} clusters", found.size(), clusters));
  }
  return found;
}

int not_negative(const JsonNode& node) {
  const int found = node.small_integer();
  if (found < 0) node.refuse("is negative");
  return found;
}

std::unique_ptr<Model> read(const Platform& platform, const Json& parameters) {
  const JsonDocument document = parameters_document("multiport", parameters);
  const JsonNode root(document);
  const PairClasses classes(platform);
  Multiport::Parameters found;
  for (const JsonNode& entry : entries_of_classes(root, classes)) {
    Multiport::Protocol protocol;
    const JsonNode waits_from = entry.member("waits_from");
    protocol.eager = waits_from.integer() - 1;
    if (protocol.eager < -1) waits_from.refuse("is negative");
    protocol.handshake = not_negative(entry.member("handshake"));
    const auto small = entry.find("small_after_posting");
    const auto large = entry.find("large_after_posting");
    protocol.small_awaits = small.has_value();
    protocol.large_awaits = large.has_value();
    if (small) protocol.small_after_posting = not_negative(*small);
    if (large) protocol.large_after_posting = not_negative(*large);
    found.protocols.push_back(protocol);
  }
  found.ports.together = figures(root.member("together"), classes.clusters(), 1, 2 * Network::whole);
  found.ports.back = figures(root.member("back"), classes.clusters(), 0, Network::whole);
  found.memory_rate = memory_rate_of(platform);
  return std::make_unique<Multiport>(platform, std::move(found));
}

}  // namespace

Multiport::Parameters estimate_multiport(const Platform& platform, Laboratory& laboratory) {
  Multiport::Parameters parameters;
  parameters.protocols = estimate_protocols(platform, laboratory);
  Bytes small = Bytes{1} << 16;
  for (const Multiport::Protocol& protocol : parameters.protocols) small = std::min(small, protocol.eager);
  parameters.ports = estimate_ports(platform, std::max<Bytes>(small, 0), laboratory);
  parameters.memory_rate = memory_rate_of(platform);
  return parameters;
}

const ModelKind multiport_model = {
    "multiport", "messages share ports and links at the level of flows; latencies and rates are the platform's",
    [](const Platform& platform, Laboratory& laboratory) {
      return written(platform, estimate_multiport(platform, laboratory));
    },
    read};

}  // namespace tombolo
