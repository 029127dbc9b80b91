#include <tombolo/models/logp_estimate.hpp>
#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/model_kind.hpp>
#include <tombolo/models/parameters.hpp>
#include <tombolo/models/small_messages.hpp>

namespace tombolo {

std::vector<LogP::Figures> estimate_logp(const PairClasses& classes, Laboratory& laboratory, Bytes size) {
  const SampledPairs pairs(classes);
  const std::vector<SmallMessage> messages = measure_small_messages(pairs, laboratory, size);
  const std::vector<Picoseconds> gaps = pairs.gaps(laboratory, size);
  std::vector<LogP::Figures> found;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    found.push_back({messages[i].send_overhead, messages[i].receive_overhead, messages[i].latency, gaps[i]});
  }
  return found;
}

nlohmann::ordered_json written_logp(const LogP& model) {
  nlohmann::ordered_json json;
  json["size"] = model.size();
  json.update(written_by_class(model.figures(), [](const LogP::Figures& pair) {
    return nlohmann::ordered_json{{"send_overhead", pair.send_overhead},
                                  {"receive_overhead", pair.receive_overhead},
                                  {"latency", pair.latency},
                                  {"gap", pair.gap}};
  }));
  return json;
}

LogP read_logp(const Platform& platform, const nlohmann::ordered_json& parameters) {
  const JsonDocument document = parameters_document("logp", parameters);
  const JsonNode root(document);
  std::vector<LogP::Figures> figures;
  for (const JsonNode& entry : entries_of_classes(root, PairClasses(platform))) {
    figures.push_back({entry.member("send_overhead").integer(), entry.member("receive_overhead").integer(),
                       entry.member("latency").integer(), entry.member("gap").integer()});
  }
  return {platform, std::move(figures), root.member("size").integer(), memory_rate_of(platform)};
}

const ModelKind logp_model = {
    "logp", "L + o_s + o_r for one small size, gap g; larger messages as many small ones",
    [](const Platform& platform, Laboratory& laboratory) {
      const PairClasses classes(platform);
      return written_logp({platform, estimate_logp(classes, laboratory), logp_size, memory_rate_of(platform)});
    },
    [](const Platform& platform, const nlohmann::ordered_json& parameters) -> std::unique_ptr<Model> {
      return std::make_unique<LogP>(read_logp(platform, parameters));
    }};

}  // namespace tombolo
