#include <algorithm>

#include <tombolo/models/experiments/sampled_pairs.hpp>
#include <tombolo/models/kinds/check_figure.hpp>
#include <tombolo/models/kinds/logp/logp.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/parameters.hpp>
#include <tombolo/models/kinds/total_cost.hpp>
#include <tombolo/models/network/memory_rate.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

LogP::LogP(const Platform& platform, std::vector<Figures> by_class, Bytes size, BytesPerSecond memory_rate)
    : figures_(platform, std::move(by_class)), size_(size), memory_rate_(memory_rate) {
  check_positive("size of messages", size, "bytes");
  check_positive("memory rate", memory_rate, "B/s");
  for (const Figures& pair : figures_.all()) {
    check_not_negative("send overhead", pair.send_overhead, "ps");
    check_not_negative("receive overhead", pair.receive_overhead, "ps");
    check_not_negative("latency", pair.latency, "ps");
    check_not_negative("gap", pair.gap, "ps");
    longest_latency_ = std::max(longest_latency_, plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead));
  }
}

std::string LogP::describe() const {
  return fmt::format("LogP: {} classes of pairs, messages of {} bytes in up to {}", figures_.all().size(), size_,
                     readable(longest_latency_));
}

MessageCost LogP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures_.of(from, to);
  const Bytes count = std::max<Bytes>(1, bytes / size_ + (bytes % size_ == 0 ? 0 : 1));
  const Picoseconds gap = std::max({pair.gap, pair.send_overhead, pair.receive_overhead});
  const Picoseconds train = times(gap, count);
  const Picoseconds one = plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead);
  return total_cost({.overhead = times(pair.send_overhead, count),
                     .send = train,
                     .receive = train,
                     .receive_overhead = pair.receive_overhead},
                    plus(one, times(gap, count - 1)));
}

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
