#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/guesses.hpp>
#include <tombolo/collectives/predict/cuts.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

// "a, b and 3 more"
std::string a_few(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() <= most ? text : text + fmt::format(" and {} more", names.size() - most);
}

// A host alone in its cluster sends over links between clusters only, whose rates are asked for anyway.
std::vector<std::string> hosts_without_rate(const Platform& platform) {
  std::vector<std::string> names;
  for (const Level* cluster : clusters(platform.levels)) {
    std::vector<std::string> of_cluster;
    int hosts = 0;
    for (const Host& host : platform.hosts) {
      const auto is_of_host = [&](Rank rank) {
        return platform.processors[static_cast<std::size_t>(rank)].host == host.name;
      };
      if (std::ranges::none_of(cluster->ranks, is_of_host)) continue;
      ++hosts;
      if (host.rate.value <= 0) of_cluster.push_back(printable(host.name));
    }
    if (hosts > 1) names.insert(names.end(), of_cluster.begin(), of_cluster.end());
  }
  return names;
}

/// Of links: those without a rate, and those whose concurrent messages share a rate that is not known.
struct UnknownLinks {
  std::vector<std::string> rates;
  std::vector<std::string> totals;
};

UnknownLinks unknown_links(const Platform& platform) {
  const std::vector<const Level*> all = clusters(platform.levels);
  const auto name = [&](int cluster) { return printable(all[static_cast<std::size_t>(cluster)]->name); };
  UnknownLinks unknown;
  for (const Link& link : platform.links) {
    const bool has_rate = link.rate.value > 0;
    if (has_rate && is_limited(link, all)) continue;
    (has_rate ? unknown.totals : unknown.rates).push_back(fmt::format("{} - {}", name(link.a), name(link.b)));
  }
  return unknown;
}

}  // namespace

std::vector<std::string> guesses(const Platform& platform) {
  std::vector<std::string> all;
  if (const auto hosts = hosts_without_rate(platform); !hosts.empty()) {
    all.push_back("the rate of hosts: " + a_few(hosts));
  }
  const UnknownLinks links = unknown_links(platform);
  if (!links.rates.empty()) all.push_back("the rate of links: " + a_few(links.rates));
  if (!links.totals.empty()) {
    all.push_back("the rate that concurrent messages share, so that bounds may be far too low, of links: " +
                  a_few(links.totals));
  }
  const Estimates estimates = stored_estimates(platform);
  const auto multiport = estimates.find("multiport");
  if (estimates.empty() && platform.ranks() > 1)
    all.emplace_back("from which size on messages wait for their receiver");
  if (multiport == estimates.end()) return all;
  const auto left_out = multiport->second.parameters.find("left_out");
  if (left_out == multiport->second.parameters.end()) return all;
  for (const auto& each : *left_out) {
    if (each.is_string()) all.push_back(printable(each.get<std::string>()));
  }
  return all;
}

}  // namespace tombolo
