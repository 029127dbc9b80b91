#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <tombolo/models/shared_cores.hpp>
#include <tombolo/platform/description/host_cores.hpp>

namespace tombolo {

namespace {

std::vector<SharedCores::Host> measured_hosts(const Platform& platform) {
  std::map<std::string_view, std::vector<Rank>> ranks;
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    ranks[platform.processors[static_cast<std::size_t>(rank)].host].push_back(rank);
  }
  std::vector<SharedCores::Host> hosts;
  for (const Host& host : platform.hosts) {
    if (host.message.value == 0) continue;
    const std::vector<Rank>& here = ranks[host.name];
    hosts.push_back({.ranks = here, .cores = cores_of(platform.processors, here), .wake_up = host.wake_up.value});
  }
  return hosts;
}

}  // namespace

SharedCores::SharedCores(std::vector<Host> hosts, int ranks)
    : hosts_(std::move(hosts)), host_of_(static_cast<std::size_t>(ranks), -1) {
  std::erase_if(hosts_, [](const Host& host) { return std::ssize(host.ranks) <= host.cores; });
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    for (const Rank rank : hosts_[h].ranks) host_of_[static_cast<std::size_t>(rank)] = static_cast<int>(h);
  }
}

SharedCores::SharedCores(const Platform& platform) : SharedCores(measured_hosts(platform), platform.ranks()) {}

SharedCores SharedCores::among(const std::vector<Rank>& members) const {
  std::vector<Host> hosts = hosts_;
  for (Host& host : hosts) host.ranks.clear();
  for (std::size_t r = 0; r < members.size(); ++r) {
    const int host = host_of(members[r]);
    if (host >= 0) hosts[static_cast<std::size_t>(host)].ranks.push_back(static_cast<Rank>(r));
  }
  return {std::move(hosts), static_cast<int>(members.size())};
}

}  // namespace tombolo
