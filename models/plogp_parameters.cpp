#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/parameters.hpp>
#include <tombolo/models/plogp_estimate.hpp>

namespace tombolo {

namespace {

nlohmann::ordered_json written(const PiecewiseLinear& curve) {
  nlohmann::ordered_json nodes = nlohmann::ordered_json::array();
  for (const PiecewiseLinear::Node& node : curve.nodes()) {
    nodes.push_back(nlohmann::ordered_json::array({node.bytes, node.time}));
  }
  return nodes;
}

PiecewiseLinear read_curve(const JsonNode& list) {
  std::vector<PiecewiseLinear::Node> nodes;
  for (const JsonNode& node : list.list()) {
    const std::vector<JsonNode> pair = node.list();
    if (pair.size() != 2) node.refuse("is not a list of bytes and picoseconds");
    nodes.push_back({pair[0].integer(), pair[1].integer()});
  }
  return PiecewiseLinear(std::move(nodes));
}

}  // namespace

nlohmann::ordered_json written_plogp(const PLogP& model) {
  return written_by_class(model.figures(), [](const PLogP::Figures& pair) {
    nlohmann::ordered_json entry;
    entry["latency"] = pair.latency;
    entry["gap"] = written(pair.gap);
    entry["send_overhead"] = written(pair.send_overhead);
    entry["receive_overhead"] = written(pair.receive_overhead);
    return entry;
  });
}

PLogP read_plogp(const Platform& platform, const nlohmann::ordered_json& parameters) {
  const JsonDocument document = parameters_document("plogp", parameters);
  std::vector<PLogP::Figures> figures;
  for (const JsonNode& entry : entries_of_classes(JsonNode(document), PairClasses(platform))) {
    figures.push_back({entry.member("latency").integer(), read_curve(entry.member("gap")),
                       read_curve(entry.member("send_overhead")), read_curve(entry.member("receive_overhead"))});
  }
  return {platform, std::move(figures), memory_rate_of(platform)};
}

}  // namespace tombolo
