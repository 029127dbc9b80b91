#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/shared_links.hpp>
#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/platform/description/routes.hpp>

namespace tombolo {

namespace {

// The sums of send and receive factors of a set of ranks: the elements from one set to another are a product of sums.
struct Factors {
  std::int64_t sent = 0;
  std::int64_t received = 0;

  Factors& operator+=(const Factors& other) {
    sent += other.sent;
    received += other.received;
    return *this;
  }
  Factors operator-(const Factors& other) const { return {sent - other.sent, received - other.received}; }
};

// The load of the direction that carries more.
std::int64_t between(const Factors& some, const Factors& others) {
  return std::max(times(some.sent, others.received), times(others.sent, some.received));
}

class Counting {
 public:
  Counting(const Platform& platform, std::span<const Rank> participants, const Blocks& rows, const Blocks& columns)
      : platform_(platform), of_rank_(platform.processors.size()), on_host_(platform.hosts.size()) {
    const Routes routes(platform);
    clusters_ = clusters(platform.levels);
    in_cluster_.resize(clusters_.size());
    hosts_in_cluster_.resize(clusters_.size());
    for (std::size_t i = 0; i < participants.size(); ++i) {
      const Rank rank = participants[i];
      const Factors factors{rows.count(static_cast<int>(i)), columns.count(static_cast<int>(i))};
      const auto host = static_cast<std::size_t>(routes.host_of(rank));
      const auto cluster = static_cast<std::size_t>(routes.cluster_of(rank));
      of_rank_[static_cast<std::size_t>(rank)] = factors;
      total_ += factors;
      on_host_[host] += factors;
      in_cluster_[cluster] += factors;
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
    for (const SharedLine& line : platform_.lines) add_line(line);
    return std::move(links_);
  }

 private:
  std::int64_t leaving(const Factors& inside) const { return between(inside, total_ - inside); }

  void add(LinkKind kind, const std::string& name, BytesPerSecond rate, std::int64_t blocks) {
    if (rate > 0 && blocks > 0) links_.push_back({kind, name, rate, blocks});
  }

  void add_uplinks(const Level& level) {
    if (level.kind > Level::Kind::cluster) return;
    Factors inside;
    for (const Rank rank : level.ranks) inside += of_rank_[static_cast<std::size_t>(rank)];
    add(LinkKind::uplink, level.name, level.uplink.value, leaving(inside));
    for (const Level& child : level.children) add_uplinks(child);
  }

  void add_distant(const Link& link) {
    const auto a = static_cast<std::size_t>(link.a);
    const auto b = static_cast<std::size_t>(link.b);
    const std::string name = fmt::format("{} - {}", clusters_[a]->name, clusters_[b]->name);
    const std::size_t hosts = std::min(hosts_in_cluster_[a].size(), hosts_in_cluster_[b].size());
    const BytesPerSecond alone = times(static_cast<std::int64_t>(hosts), link.rate.value);
    add(LinkKind::distant, name, link.total.value > 0 ? link.total.value : alone,
        between(in_cluster_[a], in_cluster_[b]));
  }

  void add_line(const SharedLine& line) {
    std::int64_t there = 0;
    std::int64_t back = 0;
    for (const auto& [from, to] : line.pairs) {
      const Factors& one = in_cluster_[static_cast<std::size_t>(from)];
      const Factors& other = in_cluster_[static_cast<std::size_t>(to)];
      there += times(one.sent, other.received);
      back += times(other.sent, one.received);
    }
    add(LinkKind::distant, described(line, clusters_), line.rate.value, std::max(there, back));
  }

  const Platform& platform_;
  std::vector<const Level*> clusters_;
  Factors total_;
  std::vector<Factors> of_rank_, on_host_, in_cluster_;
  std::vector<std::set<std::size_t>> hosts_in_cluster_;
  std::vector<SharedLink> links_;
};

}  // namespace

std::string_view name(LinkKind kind) {
  constexpr std::array<std::string_view, link_kinds> names = {"port", "uplink", "distant"};
  return names.at(static_cast<std::size_t>(kind));
}

std::vector<SharedLink> shared_links(const Platform& platform, std::span<const Rank> participants) {
  const Blocks one = Blocks::equal(static_cast<int>(participants.size()), 1);
  return shared_links(platform, participants, one, one);
}

std::vector<SharedLink> shared_links(const Platform& platform, std::span<const Rank> participants, const Blocks& rows,
                                     const Blocks& columns) {
  return Counting(platform, participants, rows, columns).links();
}

LinkLoads loads(std::span<const SharedLink> links, Bytes bytes) {
  LinkLoads busiest = {};
  for (const SharedLink& link : links) {
    Picoseconds& most = busiest.at(static_cast<std::size_t>(link.kind));
    most = std::max(most, transfer_time(times(link.blocks, bytes), link.rate));
  }
  return busiest;
}

}  // namespace tombolo
