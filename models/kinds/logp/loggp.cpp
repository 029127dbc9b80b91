#include <algorithm>
#include <cmath>

#include <tombolo/models/experiments/sampled_pairs.hpp>
#include <tombolo/models/kinds/check_figure.hpp>
#include <tombolo/models/kinds/logp/loggp.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/parameters.hpp>
#include <tombolo/models/kinds/total_cost.hpp>
#include <tombolo/models/network/memory_rate.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

LogGP::LogGP(const Platform& platform, std::vector<Figures> by_class, BytesPerSecond memory_rate)
    : figures_(platform, std::move(by_class)), memory_rate_(memory_rate) {
  check_positive("memory rate", memory_rate, "B/s");
  for (const Figures& pair : figures_.all()) {
    check_not_negative("send overhead", pair.send_overhead, "ps");
    check_not_negative("receive overhead", pair.receive_overhead, "ps");
    check_not_negative("latency", pair.latency, "ps");
    check_not_negative("gap", pair.gap, "ps");
    check_not_negative("gap per byte", pair.gap_per_megabyte, "ps per MB");
    longest_latency_ = std::max(longest_latency_, plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead));
  }
}

std::string LogGP::describe() const {
  return fmt::format("LogGP: {} classes of pairs, a byte in up to {}", figures_.all().size(),
                     readable(longest_latency_));
}

MessageCost LogGP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures_.of(from, to);
  const Picoseconds rest = time_for(std::max<Bytes>(bytes, 1) - 1, pair.gap_per_megabyte);
  const Picoseconds busy = plus(std::max({pair.gap, pair.send_overhead, pair.receive_overhead}), rest);
  const Picoseconds one = plus(plus(pair.send_overhead, pair.latency), pair.receive_overhead);
  return total_cost(
      {.overhead = pair.send_overhead, .send = busy, .receive = busy, .receive_overhead = pair.receive_overhead},
      plus(one, rest));
}

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
