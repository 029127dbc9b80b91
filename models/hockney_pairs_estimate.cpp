#include <algorithm>

#include <tombolo/models/hockney_estimate.hpp>
#include <tombolo/models/hockney_pairs_estimate.hpp>
#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/model_kind.hpp>
#include <tombolo/models/parameters.hpp>
#include <tombolo/platform/shuffle_alike.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_for_all = 64;  // ranks of a cluster
constexpr int pairings = 64;
constexpr int pairs_of_class = 3;

}  // namespace

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
  for (int index = 0; index < classes.size(); ++index) {  // those inside hosts may be few
    for (const auto& [a, b] : classes.sample(index, pairs_of_class)) add(a, b);
  }
  std::sort(pairs.begin(), pairs.end());
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

HockneyPairs read_hockney_pairs(const Platform& platform, const nlohmann::ordered_json& parameters) {
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
    [](const Platform& platform, const nlohmann::ordered_json& parameters) -> std::unique_ptr<Model> {
      return std::make_unique<HockneyPairs>(read_hockney_pairs(platform, parameters));
    }};

}  // namespace tombolo
