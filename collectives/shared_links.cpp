#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <tombolo/collectives/forms/arithmetic.hpp>
#include <tombolo/collectives/shared_links.hpp>
#include <tombolo/platform/routes.hpp>

namespace tombolo {

namespace {

class Counting {
 public:
  Counting(const Platform& platform, std::span<const Rank> participants)
      : platform_(platform),
        total_(std::ssize(participants)),
        takes_part_(platform.processors.size(), false),
        on_host_(platform.hosts.size(), 0) {
    const Routes routes(platform);
    clusters_ = clusters(platform.levels);
    in_cluster_.assign(clusters_.size(), 0);
    hosts_in_cluster_.resize(clusters_.size());
    for (const Rank rank : participants) {
      takes_part_[static_cast<std::size_t>(rank)] = true;
      const auto host = static_cast<std::size_t>(routes.host_of(rank));
      const auto cluster = static_cast<std::size_t>(routes.cluster_of(rank));
      ++on_host_[host];
      ++in_cluster_[cluster];
      hosts_in_cluster_[cluster].insert(host);
    }
  }

  std::vector<SharedLink> links() {
    for (std::size_t h = 0; h < on_host_.size(); ++h) {
      const Host& host = platform_.hosts[h];
      add(LinkKind::port, host.name, host.rate.value, leaving(on_host_[h]));
    }
    add_uplinks(platform_.levels);
    for (const Link& link : platform_.links) add_distant(link);
    return std::move(links_);
  }

 private:
  // Blocks out of what holds so many of the participants.
  std::int64_t leaving(std::int64_t inside) const { return inside * (total_ - inside); }

  void add(LinkKind kind, const std::string& name, BytesPerSecond rate, std::int64_t blocks) {
    if (rate > 0 && blocks > 0) links_.push_back({kind, name, rate, blocks});
  }

  void add_uplinks(const Level& level) {
    if (level.kind > Level::Kind::cluster) return;
    const auto inside = std::count_if(level.ranks.begin(), level.ranks.end(),
                                      [&](Rank rank) { return takes_part_[static_cast<std::size_t>(rank)]; });
    add(LinkKind::uplink, level.name, level.uplink.value, leaving(inside));
    for (const Level& child : level.children) add_uplinks(child);
  }

  void add_distant(const Link& link) {
    const auto a = static_cast<std::size_t>(link.a);
    const auto b = static_cast<std::size_t>(link.b);
    const std::string name = fmt::format("{} - {}", clusters_[a]->name, clusters_[b]->name);
    const std::size_t hosts = std::min(hosts_in_cluster_[a].size(), hosts_in_cluster_[b].size());
    const BytesPerSecond alone = forms::times(static_cast<std::int64_t>(hosts), link.rate.value);
    add(LinkKind::distant, name, link.total.value > 0 ? link.total.value : alone, in_cluster_[a] * in_cluster_[b]);
  }

  const Platform& platform_;
  std::int64_t total_;
  std::vector<bool> takes_part_;
  std::vector<const Level*> clusters_;
  std::vector<std::int64_t> on_host_, in_cluster_;
  std::vector<std::set<std::size_t>> hosts_in_cluster_;
  std::vector<SharedLink> links_;
};

}  // namespace

std::string_view name(LinkKind kind) {
  constexpr std::array<std::string_view, link_kinds> names = {"port", "uplink", "distant"};
  return names.at(static_cast<std::size_t>(kind));
}

std::vector<SharedLink> shared_links(const Platform& platform, std::span<const Rank> participants) {
  return Counting(platform, participants).links();
}

LinkLoads loads(std::span<const SharedLink> links, Bytes bytes) {
  LinkLoads busiest = {};
  for (const SharedLink& link : links) {
    Picoseconds& most = busiest.at(static_cast<std::size_t>(link.kind));
    most = std::max(most, transfer_time(forms::times(link.blocks, bytes), link.rate));
  }
  return busiest;
}

}  // namespace tombolo
