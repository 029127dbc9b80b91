#include <algorithm>
#include <set>

#include <tombolo/collectives/predict/least_costs.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>

namespace tombolo {

namespace {

// Beyond these numbers of clusters and ranks the bound takes less than it could.
constexpr std::size_t most_clusters = 256;
constexpr int all_pairs = 512;
constexpr std::size_t some_ranks = 64;

}  // namespace

LeastCosts::LeastCosts(const Request& request, const Platform& platform, const std::vector<Rank>& members,
                       const Relief& relief)
    : request_(request),
      rules_(rules(request.operation)),
      platform_(platform),
      members_(members),
      relief_(relief),
      routes_(platform) {
  find_participants();
  find_ways();
  find_farthest();
  find_even_network();
  if (hosts_.size() > 1) find_needs();
}

BytesPerSecond LeastCosts::rate_of(int host) const {
  const BytesPerSecond alone = platform_.hosts[static_cast<std::size_t>(host)].rate.value;
  if (relief_.together.empty()) return alone;
  const int more = relief_.together[static_cast<std::size_t>(hosts_.at(host).cluster)];
  return std::max(alone, part_of(alone, more));
}

Picoseconds LeastCosts::relieved(Picoseconds receive_overhead) const {
  return receive_overhead - saved_if_synchronous(receive_overhead, relief_.synchronous_receive);
}

void LeastCosts::find_participants() {
  for (Rank rank = 0; rank < request_.ranks; ++rank) {
    const int host = routes_.host_of(member(rank));
    const Picoseconds own = routes_.own(host);
    const Picoseconds send = processor(rank).send_overhead;
    const Picoseconds receive = relieved(processor(rank).receive_overhead);
    Participants one{.hosts = 0, .number = 1, .send = send, .receive = receive};
    one.ranks.add(request_, rank);
    ranks_[host].push_back(rank);
    Participants& part = hosts_[host];
    part.add(one);
    part.cluster = routes_.cluster_of(member(rank));
    part.hosts = 1;
    part.own = own;
    part.out = plus(part.send, own);
    part.in = plus(part.receive, own);
    part.through = plus(plus(part.send, part.receive), plus(own, own));
  }
  for (const auto& [host, part] : hosts_) {
    Participants& cluster = clusters_[part.cluster];
    cluster.add(part);
    cluster.cluster = part.cluster;
  }
}

void LeastCosts::find_ways() {
  const auto number = static_cast<std::size_t>(clusters_.rbegin()->first + 1);
  ways_.assign(number, std::vector<Picoseconds>(number, never));
  for (const auto& [a, of_a] : clusters_) {
    for (const auto& [b, of_b] : clusters_)
      ways_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = routes_.between(a, b);
  }
  if (number > most_clusters) {
    shorten_roughly();
    return;
  }
  for (const auto& [by, relay] : clusters_) {
    for (const auto& [a, of_a] : clusters_) {
      const Picoseconds first = plus(way(a, by), relay.through);
      for (const auto& [b, of_b] : clusters_) {
        Picoseconds& direct = ways_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
        direct = std::min(direct, plus(first, way(by, b)));
      }
    }
  }
}

// Any way over others begins with the shortest link of its first cluster and ends with that of the last.
void LeastCosts::shorten_roughly() {
  std::vector<Picoseconds> shortest;
  Picoseconds through = never;
  for (const auto& row : ways_) shortest.push_back(*std::ranges::min_element(row));
  for (const auto& [number, cluster] : clusters_) through = std::min(through, cluster.through);
  for (std::size_t a = 0; a < ways_.size(); ++a) {
    for (std::size_t b = 0; b < ways_.size(); ++b) {
      ways_[a][b] = std::min(ways_[a][b], plus(through, plus(shortest[a], shortest[b])));
    }
  }
}

// The least time from rank to rank, by any way, with the overheads of these two.
Picoseconds LeastCosts::latency(Rank from, Rank to) const {
  const Rank a = member(from);
  const Rank b = member(to);
  const Picoseconds receive = relieved(routes_.receive_overhead(a, b));
  const int from_host = routes_.host_of(a);
  const int to_host = routes_.host_of(b);
  if (from_host == to_host) return plus(routes_.transit(a, b), receive);
  const Picoseconds overheads = plus(routes_.send_overhead(a, b), receive);
  const Picoseconds own = plus(routes_.own(from_host), routes_.own(to_host));
  return plus(overheads, plus(own, way(routes_.cluster_of(a), routes_.cluster_of(b))));
}

// Of many ranks, pairs with the root, the first and the last rank, and with some ranks of the clusters.
void LeastCosts::find_farthest() {
  std::set<Rank> some = {0, request_.root, request_.ranks - 1};
  if (request_.ranks <= all_pairs) {
    for (Rank rank = 0; rank < request_.ranks; ++rank) some.insert(rank);
  } else {
    for (const auto& [number, cluster] : clusters_) {
      if (some.size() < some_ranks) some.insert({cluster.ranks.lowest, cluster.ranks.highest});
    }
  }
  for (const Rank rank : some) {
    int followers = 0;
    int sources = 0;
    for (Rank other = 0; other < request_.ranks; ++other) {
      if (other == rank) continue;
      if (rules_.needs(request_, other, rank)) {
        ++followers;
        farthest_ = std::max(farthest_, latency(rank, other));
      }
      if (rules_.needs(request_, rank, other)) {
        ++sources;
        farthest_ = std::max(farthest_, latency(other, rank));
      }
    }
    followers_ = std::max(followers_, followers);
    sources_ = std::max(sources_, sources);
  }
}

void LeastCosts::find_even_network() {
  for (const auto& [host, part] : hosts_) {
    even_.ranks_per_host = std::max(even_.ranks_per_host, static_cast<int>(part.number));
  }
  even_.hosts = static_cast<int>(hosts_.size());
  even_.send = even_.receive = even_.flight = never;
  for (const auto& [a, from] : clusters_) {
    even_.send = std::min(even_.send, from.send);
    even_.receive = std::min(even_.receive, from.receive);
    for (const auto& [b, to] : clusters_) {
      if (a == b && from.hosts < 2) continue;
      even_.flight = std::min(even_.flight, plus(from.out, plus(routes_.between(a, b), to.own)));
    }
  }
  nearest_ = even_.hop();
  least_send_ = even_.send;
  least_receive_ = even_.receive;
  for (const auto& [host, ranks] : ranks_) {
    for (const Rank a : ranks) {
      for (const Rank b : ranks) {
        if (a == b) continue;
        nearest_ = std::min(nearest_, latency(a, b));
        least_send_ = std::min(least_send_, routes_.send_overhead(member(a), member(b)));
        least_receive_ = std::min(least_receive_, relieved(routes_.receive_overhead(member(a), member(b))));
      }
    }
  }
  for (const auto& [host, part] : hosts_) {
    if (rate_of(host) <= 0) {
      even_.all_rates = 0;
      break;
    }
    even_.all_rates += rate_of(host);
  }
}

// What each host needs of all others, and the other way round.
void LeastCosts::find_needs() {
  std::vector<RankSummary> behind(1);  // all hosts from one on, last first
  const bool by_pairs = !hosts_.begin()->second.ranks.members.empty();
  for (auto part = hosts_.rbegin(); part != hosts_.rend() && !by_pairs; ++part) {
    behind.push_back(behind.back());
    behind.back().add(part->second.ranks);
  }
  RankSummary before;
  for (auto& [host, part] : hosts_) {
    RankSummary others = before;
    if (by_pairs) {
      others = {};
      for (const auto& [other, of_other] : hosts_) {
        if (other != host) others.add(of_other.ranks);
      }
    } else {
      behind.pop_back();
      others.add(behind.back());
      before.add(part.ranks);
    }
    part.needed = needed_bytes(request_, others, part.ranks);
    part.given = needed_bytes(request_, part.ranks, others);
  }
}

}  // namespace tombolo
