#include <algorithm>

#include <fmt/format.h>

#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/hockney/hockney_pairs.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/measuring/rounds.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_for_all = 64;  // ranks of a cluster
constexpr int pairings = 64;
constexpr int pairs_of_class = 3;

}  // namespace

HockneyPairs::HockneyPairs(LinkTable links, BytesPerSecond memory_rate)
    : links_(std::move(links)), memory_rate_(memory_rate) {
  check_positive("memory rate", memory_rate, "B/s");
  for (const LinkCost& pair : links_.cells()) {
    check_not_negative("latency", pair.latency, "ps");
    check_not_negative("time", pair.per_megabyte, "ps per MB");
    longest_latency_ = std::max(longest_latency_, pair.latency);
  }
}

std::string HockneyPairs::describe() const {
  return fmt::format("Hockney by pairs: {} figures, latencies up to {}", links_.cells().size(),
                     readable(longest_latency_));
}

MessageCost HockneyPairs::message(Rank from, Rank to, Bytes bytes) const {
  const LinkCost& pair = links_.at(from, to);
  const Picoseconds busy = plus(pair.latency, time_for(bytes, pair.per_megabyte));
  return {.send = busy, .receive = busy};
}

std::vector<std::pair<Rank, Rank>> measured_pairs(const PairClasses& classes) {
  std::vector<std::pair<Rank, Rank>> pairs;
  const auto add = [&](Rank a, Rank b) { pairs.emplace_back(std::min(a, b), std::max(a, b)); };
  for (int cluster = 0; cluster < classes.clusters(); ++cluster) {
    std::vector<Rank> members = classes.members(cluster);
    if (members.size() <= most_for_all) {
      for (std::size_t i = 0; i < members.size(); ++i) {
        for (std::size_t j = i + 1; j < members.size(); ++j) add(members[i], members[j]);
      }
      continue;
    }
    std::mt19937 random(1);
    for (int pairing = 0; pairing < pairings; ++pairing) {
      shuffle_alike(members, random);
      for (std::size_t i = 0; i < members.size(); i += 2) add(members[i], members[(i + 1) % members.size()]);
    }
  }
  for (int index = 0; index < classes.size(); ++index) {  // includes pairs inside hosts, which may be few
    for (const auto& [a, b] : classes.sample(index, pairs_of_class)) add(a, b);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

LinkTable estimate_hockney_pairs(const PairClasses& classes, Laboratory& laboratory) {
  const std::vector<std::pair<Rank, Rank>> pairs = measured_pairs(classes);
  std::vector<double> latencies;
  std::vector<double> slopes;
  for (const Line& line : measure_hockney(pairs, laboratory)) {
    latencies.push_back(line.intercept);
    slopes.push_back(line.slope);
  }
  return link_table(classes, pairs, latencies, slopes);
}

HockneyPairs read_hockney_pairs(const Platform& platform, const Json& parameters) {
  const JsonDocument document = parameters_document("hockney-pairs", parameters);
  LinkTable links{PairClasses(platform)};
  read_links(JsonNode(document), links, true);
  return {std::move(links), memory_rate_of(platform)};
}

const ModelKind hockney_pairs_model = {
    "hockney-pairs", "alpha_ij + beta_ij M for every pair; no processors, no overlap",
    [](const Platform& platform, Laboratory& laboratory) {
      return written_links(estimate_hockney_pairs(PairClasses(platform), laboratory), true);
    },
    [](const Platform& platform, const Json& parameters) -> std::unique_ptr<Model> {
      return std::make_unique<HockneyPairs>(read_hockney_pairs(platform, parameters));
    }};

}  // namespace tombolo
