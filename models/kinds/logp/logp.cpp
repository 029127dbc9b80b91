#include <algorithm>
#include <cmath>

#include <tombolo/models/experiments/sampled_pairs.hpp>
#include <tombolo/models/kinds/logp/logp.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

LogP::LogP(const Platform& platform, std::vector<Figures> by_class, Bytes size, BytesPerSecond memory_rate)
    : ModelByClass(platform, std::move(by_class), memory_rate), size_(size) {
  check_positive("size of messages", size, "bytes");
}

std::string LogP::describe() const {
  return fmt::format("LogP: {} classes of pairs, messages of {} bytes in up to {}", figures().all().size(), size_,
                     readable(longest_latency()));
}

MessageCost LogP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures().of(from, to);
  const Bytes count = std::max<Bytes>(1, bytes / size_ + (bytes % size_ == 0 ? 0 : 1));
  const Picoseconds gap = std::max({pair.gap, pair.send_overhead, pair.receive_overhead});
  const Picoseconds train = times(gap, count);
  return total_cost({.overhead = times(pair.send_overhead, count),
                     .send = train,
                     .receive = train,
                     .receive_overhead = pair.receive_overhead},
                    plus(pair.least_time(), times(gap, count - 1)));
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

Json written_logp(const LogP& model) {
  Json json;
  json["size"] = model.size();
  json.update(written_by_class(model.figures(), written_figures<LogPFigures>));
  return json;
}

LogP read_logp(const Platform& platform, const Json& parameters) {
  const JsonDocument document = parameters_document("logp", parameters);
  const JsonNode root(document);
  return {platform, read_by_class(root, platform, read_figures<LogPFigures>), root.member("size").integer(),
          memory_rate_of(platform)};
}

const ModelKind logp_model = {
    "logp", "L + o_s + o_r for one small size, gap g; larger messages as many small ones",
    [](const Platform& platform, Laboratory& laboratory) {
      const PairClasses classes(platform);
      return written_logp({platform, estimate_logp(classes, laboratory), logp_size, memory_rate_of(platform)});
    },
    [](const Platform& platform, const Json& parameters) -> std::unique_ptr<Model> {
      return std::make_unique<LogP>(read_logp(platform, parameters));
    }};

std::string LogGP::describe() const {
  return fmt::format("LogGP: {} classes of pairs, a byte in up to {}", figures().all().size(),
                     readable(longest_latency()));
}

MessageCost LogGP::message(Rank from, Rank to, Bytes bytes) const {
  const Figures& pair = figures().of(from, to);
  const Picoseconds rest = time_for(std::max<Bytes>(bytes, 1) - 1, pair.gap_per_megabyte);
  const Picoseconds busy = plus(std::max({pair.gap, pair.send_overhead, pair.receive_overhead}), rest);
  return total_cost(
      {.overhead = pair.send_overhead, .send = busy, .receive = busy, .receive_overhead = pair.receive_overhead},
      plus(pair.least_time(), rest));
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

Json written_loggp(const LogGP& model) {
  return written_by_class(model.figures(), written_figures<LogGPFigures>);
}

LogGP read_loggp(const Platform& platform, const Json& parameters) {
  const JsonDocument document = parameters_document("loggp", parameters);
  return {platform, read_by_class(JsonNode(document), platform, read_figures<LogGPFigures>), memory_rate_of(platform)};
}

const ModelKind loggp_model = {
    "loggp", "L + o_s + o_r + (M - 1) G, gap g; one line for all sizes",
    [](const Platform& platform, Laboratory& laboratory) {
      const PairClasses classes(platform);
      return written_loggp({platform, estimate_loggp(classes, laboratory), memory_rate_of(platform)});
    },
    [](const Platform& platform, const Json& parameters) -> std::unique_ptr<Model> {
      return std::make_unique<LogGP>(read_loggp(platform, parameters));
    }};

}  // namespace tombolo
