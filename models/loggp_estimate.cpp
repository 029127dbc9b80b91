#include <algorithm>
#include <cmath>

#include <tombolo/models/loggp_estimate.hpp>
#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/model_kind.hpp>
#include <tombolo/models/parameters.hpp>
#include <tombolo/models/small_messages.hpp>

namespace tombolo {

std::vector<LogGP::Figures> estimate_loggp(const PairClasses& classes, Laboratory& laboratory, Bytes large) {
  const SampledPairs pairs(classes);
  const std::vector<SmallMessage> messages = measure_small_messages(pairs, laboratory, 1);
  const std::vector<Picoseconds> empty = pairs.gaps(laboratory, 0);
  const std::vector<Picoseconds> byte = pairs.gaps(laboratory, 1);
  const std::vector<Picoseconds> many = pairs.gaps(laboratory, large);
  std::vector<LogGP::Figures> found;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Picoseconds gap = empty[i] / 2 + byte[i] / 2;
    const auto rest = static_cast<double>(std::max<Picoseconds>(many[i] - gap, 0));
    found.push_back({messages[i].send_overhead, messages[i].receive_overhead, messages[i].latency, gap,
                     std::llround(rest / static_cast<double>(large - 1) * megabyte)});
  }
  return found;
}

nlohmann::ordered_json written_loggp(const LogGP& model) {
  return written_by_class(model.figures(), [](const LogGP::Figures& pair) {
    return nlohmann::ordered_json{{"send_overhead", pair.send_overhead},
                                  {"receive_overhead", pair.receive_overhead},
                                  {"latency", pair.latency},
                                  {"gap", pair.gap},
                                  {"gap_per_megabyte", pair.gap_per_megabyte}};
  });
}

LogGP read_loggp(const Platform& platform, const nlohmann::ordered_json& parameters) {
  const JsonDocument document = parameters_document("loggp", parameters);
  std::vector<LogGP::Figures> figures;
  for (const JsonNode& entry : entries_of_classes(JsonNode(document), PairClasses(platform))) {
    figures.push_back({entry.member("send_overhead").integer(), entry.member("receive_overhead").integer(),
                       entry.member("latency").integer(), entry.member("gap").integer(),
                       entry.member("gap_per_megabyte").integer()});
  }
  return {platform, std::move(figures), memory_rate_of(platform)};
}

const ModelKind loggp_model = {
    "loggp", "L + o_s + o_r + (M - 1) G, gap g; one line for all sizes",
    [](const Platform& platform, Laboratory& laboratory) {
      const PairClasses classes(platform);
      return written_loggp({platform, estimate_loggp(classes, laboratory), memory_rate_of(platform)});
    },
    [](const Platform& platform, const nlohmann::ordered_json& parameters) -> std::unique_ptr<Model> {
      return std::make_unique<LogGP>(read_loggp(platform, parameters));
    }};

}  // namespace tombolo
