#include "platforms/contention.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/units.hpp>

namespace tombolo::modelling {

namespace {

constexpr std::size_t fewest_samples = 4;
constexpr const char* link_contention_name = "link-contention";

bool is_exchange(const Trial& trial) {
  return trial.sample.operation == Operation::alltoallv && trial.sample.algorithm == alltoallv_direct.name;
}

class Contention {
 public:
  explicit Contention(const Platform& platform) : platform_(&platform) {}

  void fit(const std::string& scope, const std::vector<const Trial*>& trials) {
    const ContentionSignature alone = uncontended(*platform_, trials.back()->ranks);
    // The signature is that of one number of ranks, which should saturate the network.
    int most = 0;
    for (const Trial* trial : trials) most = std::max(most, trial->sample.ranks);
    std::vector<AlltoallSample> samples;
    std::vector<LoadedSample> loaded;
    for (const Trial* trial : trials) {
      const Sample& s = trial->sample;
      if (s.ranks == most) samples.push_back({.ranks = s.ranks, .bytes = s.bytes, .time = s.measured});
      loaded.push_back({.ranks = s.ranks, .bytes = s.bytes, .loads = loads_of(*trial), .time = s.measured});
    }
    if (samples.size() < fewest_samples) return;
    try {
      const ContentionSignature signature = fit_contention(alone.latency, alone.rate, samples);
      link_signatures_[scope] = {scope, most, fit_link_contention(alone.latency, loaded)};
      signatures_[scope] = signature;
    } catch (const Error&) {
      // Small blocks, and ranks of one host, may say nothing of contention: then there is none to tell of.
    }
  }

  std::vector<ScopeContention> found() const {
    std::vector<ScopeContention> all;
    for (const auto& [scope, signature] : link_signatures_) all.push_back(signature);
    return all;
  }

  void predict(Trial& trial) const {
    Sample& s = trial.sample;
    const auto signature = signatures_.find(s.scope);
    if (signature == signatures_.end()) return;
    s.predicted["contention"] = contended_alltoall(signature->second, s.ranks, s.bytes);
    s.predicted[link_contention_name] =
        contended_alltoall(link_signatures_.at(s.scope).links, s.ranks, s.bytes, loads_of(trial));
  }

 private:
  LinkLoads loads_of(const Trial& trial) const {
    return loads(shared_links(*platform_, trial.ranks), trial.sample.bytes);
  }

  const Platform* platform_;
  std::map<std::string, ContentionSignature> signatures_;
  std::map<std::string, ScopeContention> link_signatures_;
};

}  // namespace

std::vector<ScopeContention> predict_contention(const Platform& platform, std::vector<Trial>& fitted,
                                                std::vector<Trial>& judged) {
  Contention contention(platform);
  std::map<std::string, std::vector<const Trial*>> by_scope;
  for (const Trial& trial : fitted) {
    if (is_exchange(trial)) by_scope[trial.sample.scope].push_back(&trial);
  }
  for (const auto& [scope, trials] : by_scope) contention.fit(scope, trials);
  for (std::vector<Trial>* trials : {&fitted, &judged}) {
    for (Trial& trial : *trials) {
      if (is_exchange(trial)) contention.predict(trial);
    }
  }
  return contention.found();
}

void keep_better(std::vector<ScopeContention>& contention, std::span<const Sample> samples, const std::string& than) {
  const auto off = [](Picoseconds predicted, Picoseconds measured) {
    return std::abs(std::log(static_cast<double>(predicted) / static_cast<double>(measured)));
  };
  std::erase_if(contention, [&](const ScopeContention& one) {
    double own = 0;
    double others = 0;
    for (const Sample& sample : samples) {
      if (sample.scope != one.scope || sample.measured <= 0) continue;
      const auto mine = sample.predicted.find(link_contention_name);
      const auto other = sample.predicted.find(than);
      if (mine == sample.predicted.end() || other == sample.predicted.end()) continue;
      own += off(mine->second, sample.measured);
      others += off(other->second, sample.measured);
    }
    return own >= others;
  });
}

std::string contention_text(const Platform& platform) {
  const std::vector<ScopeContention> all = stored_contention(platform);
  if (all.empty()) return "";
  Table table({"cluster", "ranks", "gamma of ports", "of uplinks", "of long links", "delta", "M"}, "<>>>>>>");
  for (const ScopeContention& found : all) {
    std::vector<std::string> line = {found.scope, fmt::format("{}", found.ranks)};
    for (const Millionths gamma : found.links.gamma) {
      line.push_back(fmt::format("{:.3f}", static_cast<double>(gamma) / one_in_millionths));
    }
    const bool steps = found.links.delta > 0;
    line.push_back(steps ? readable(found.links.delta) : "none");
    line.push_back(steps ? fmt::format("{} B", found.links.threshold) : "");
    table.add(line);
  }
  return "Contention: how many times longer links are busy in a direct total exchange than its bytes take, by kind of\n"
         "link, and what each block of M and more takes beyond that\n\n" +
         table.text();
}

Json contention_json(const Platform& platform) {
  const auto found = platform.sections.find(contention_section);
  if (found == platform.sections.end()) return Json::array();
  return Json::parse(found->second);
}

}  // namespace tombolo::modelling
