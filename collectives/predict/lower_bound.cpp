#include <algorithm>
#include <set>

#include <tombolo/collectives/operations/rules.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/description/routes.hpp>

namespace tombolo {

namespace {

constexpr std::size_t few = 8;

std::size_t hosts_of(const Level& level) {
  if (level.kind == Level::Kind::host) return 1;
  std::size_t hosts = 0;
  for (const Level& child : level.children) hosts += hosts_of(child);
  return hosts;
}

// By cluster, true if the cluster is below `level`.
std::vector<bool> below(const Level& level, const std::vector<const Level*>& all) {
  std::vector<bool> inside;
  for (const Level* cluster : all) {
    inside.push_back(std::ranges::binary_search(level.ranks, cluster->ranks.front()));
  }
  return inside;
}

void collect(const Level& level, const std::vector<const Level*>& all, std::set<std::vector<bool>>& found) {
  found.insert(below(level, all));
  if (level.kind == Level::Kind::cluster) return;
  for (const Level& child : level.children) collect(child, all, found);
}

std::set<std::vector<bool>> parts(const Platform& platform, const std::vector<const Level*>& all) {
  std::set<std::vector<bool>> found;
  if (all.size() > few) {
    collect(platform.levels, all, found);
    return found;
  }
  // The last cluster is always outside: a cut and its complement are the same.
  for (std::size_t mask = 1; mask < std::size_t{1} << (all.size() - 1); ++mask) {
    std::vector<bool> inside;
    for (std::size_t c = 0; c < all.size(); ++c) inside.push_back((mask >> c & 1) != 0);
    found.insert(inside);
  }
  return found;
}

// The shortest latencies between hosts of clusters, directly or by hosts of others of these clusters, beyond what is
// the first and the last host's own. By number of cluster; clusters that take no part are never on the way.
std::vector<std::vector<Picoseconds>> shortest_ways(const Routes& routes, const std::set<int>& taking_part) {
  const auto number = static_cast<std::size_t>(taking_part.empty() ? 0 : *taking_part.rbegin() + 1);
  std::vector<std::vector<Picoseconds>> ways(number, std::vector<Picoseconds>(number, never));
  const auto way = [&ways](int a, int b) -> Picoseconds& {
    return ways[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  };
  for (const int a : taking_part) {
    for (const int b : taking_part) way(a, b) = routes.between(a, b);
  }
  for (const int by : taking_part) {
    for (const int a : taking_part) {
      for (const int b : taking_part) way(a, b) = std::min(way(a, b), plus(way(a, by), way(by, b)));
    }
  }
  return ways;
}

class Bound {
 public:
  Bound(const Request& request, const Platform& platform, const std::vector<Rank>& members)
      : request_(request), rules_(rules(request.operation)), platform_(platform), members_(members), routes_(platform) {
    std::set<int> clusters;
    for (const Rank rank : members) clusters.insert(routes_.cluster_of(rank));
    ways_ = shortest_ways(routes_, clusters);
    for (Rank a = 0; a < request.ranks; ++a) {
      for (Rank b = 0; b < request.ranks; ++b) {
        if (a == b) continue;
        const Picoseconds time = latency(member(a), member(b));
        least_ = std::min(least_, routes_.latency(member(a), member(b)));
        if (rules_.needs(request, b, a)) farthest_ = std::max(farthest_, time);
      }
    }
  }

  Picoseconds all() {
    if (request_.ranks < 2 || nothing_moves()) return 0;
    bound_ = farthest_;
    hosts();
    uplinks(platform_.levels);
    for (const Cut& cut : cuts(platform_)) {
      const auto inside = [&](Rank rank) {
        return cut.inside[static_cast<std::size_t>(routes_.cluster_of(member(rank)))];
      };
      passes(crossing(request_, inside), cut.rate, cut.latency);
    }
    return bound_;
  }

 private:
  Rank member(Rank rank) const { return members_[static_cast<std::size_t>(rank)]; }

  // The least time from rank to rank of the platform, by any way, with the overheads of these two.
  Picoseconds latency(Rank a, Rank b) const {
    const Processor& from = platform_.processors[static_cast<std::size_t>(a)];
    const Processor& to = platform_.processors[static_cast<std::size_t>(b)];
    const auto way = [&] {
      const Picoseconds between =
          ways_[static_cast<std::size_t>(routes_.cluster_of(a))][static_cast<std::size_t>(routes_.cluster_of(b))];
      return routes_.own(routes_.host_of(a)) + between + routes_.own(routes_.host_of(b));
    };
    const bool one_host = routes_.host_of(a) == routes_.host_of(b);
    return from.send_overhead + (one_host ? routes_.latency(a, b) : way()) + to.receive_overhead;
  }

  bool nothing_moves() const {
    switch (sizes(request_.operation)) {
      case Sizes::none:
        return false;
      case Sizes::vector:
        return request_.count * request_.element_bytes == 0;
      case Sizes::blocks:
        return request_.blocks.total() * request_.element_bytes == 0;
      case Sizes::exchange:
        return false;
    }
    return false;
  }

  void passes(const Crossing& bytes, BytesPerSecond rate, Picoseconds latency) {
    const Bytes most = std::max(bytes.out, bytes.in);
    if (rate > 0 && most > 0) bound_ = std::max(bound_, plus(latency, transfer_time(most, rate)));
  }

  void hosts() {
    const auto host_of = [this](Rank rank) { return routes_.host_of(member(rank)); };
    std::set<int> taking_part;
    for (Rank rank = 0; rank < request_.ranks; ++rank) taking_part.insert(host_of(rank));
    Bytes in_all = 0;
    BytesPerSecond rates = 0;
    bool all_known = true;
    for (const int host : taking_part) {
      const Crossing bytes = crossing(request_, [&](Rank rank) { return host_of(rank) == host; });
      const BytesPerSecond rate = platform_.hosts[static_cast<std::size_t>(host)].rate.value;
      passes(bytes, rate, least_);
      in_all += bytes.in;
      rates += rate;
      all_known = all_known && rate > 0;
    }
    if (rules_.combined_per_host != nullptr) {
      in_all =
          rules_.combined_per_host(request_) * request_.element_bytes * (static_cast<Bytes>(taking_part.size()) - 1);
    }
    if (all_known && in_all > 0) bound_ = std::max(bound_, plus(least_, transfer_time(in_all, rates)));
  }

  void uplinks(const Level& level) {
    if (level.uplink.value > 0) {
      const auto inside = [&](Rank rank) { return std::ranges::binary_search(level.ranks, member(rank)); };
      passes(crossing(request_, inside), level.uplink.value, least_);
    }
    for (const Level& child : level.children) uplinks(child);
  }

  const Request& request_;
  const OperationRules& rules_;
  const Platform& platform_;
  const std::vector<Rank>& members_;
  Routes routes_;
  std::vector<std::vector<Picoseconds>> ways_;  // between clusters
  Picoseconds least_ = never;                   // least latency between two ranks, network only
  Picoseconds farthest_ = 0;                    // largest latency between two ranks with one needing data of the other
  Picoseconds bound_ = 0;
};

}  // namespace

std::vector<Cut> cuts(const Platform& platform) {
  const std::vector<const Level*> all = clusters(platform.levels);
  std::vector<Cut> found;
  if (all.size() < 2) return found;
  for (const std::vector<bool>& inside : parts(platform, all)) {
    Cut cut{.inside = inside, .latency = never};
    bool limited = true;
    for (const Link& link : platform.links) {
      const auto a = static_cast<std::size_t>(link.a);
      const auto b = static_cast<std::size_t>(link.b);
      if (inside[a] == inside[b]) continue;
      const BytesPerSecond total = link.total.value;
      const bool all_hosts = static_cast<std::size_t>(link.flows) >= std::min(hosts_of(*all[a]), hosts_of(*all[b]));
      const bool full = total > 0 && total / 9 * 10 < link.rate.value * link.flows;
      limited = limited && total > 0 && (all_hosts || full);
      cut.rate += total;
      cut.latency = std::min(cut.latency, link.latency.value);
    }
    if (limited && cut.rate > 0) found.push_back(cut);
  }
  return found;
}

Picoseconds lower_bound(const Request& request, const Hockney& model) {
  return request.ranks == 1 ? 0 : rules(request.operation).hockney_bound(request, model);
}

Picoseconds lower_bound(const Request& request, const Platform& platform) {
  return lower_bound(request, platform, all_in_order(platform.ranks()));
}

Picoseconds lower_bound(const Request& request, const Platform& platform, const std::vector<Rank>& members) {
  return Bound(request, platform, members).all();
}

}  // namespace tombolo
