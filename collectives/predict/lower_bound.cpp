#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <tombolo/collectives/operations/rules.hpp>
#include <tombolo/collectives/predict/cuts.hpp>
#include <tombolo/collectives/predict/even_network.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/models/network/network.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/description/routes.hpp>

namespace tombolo {

namespace {

// Beyond these numbers of clusters and ranks the bound takes less than it could.
constexpr std::size_t most_clusters = 256;
constexpr int all_pairs = 512;
constexpr std::size_t some_ranks = 64;

// The ranks of a host or cluster that take part, and the least that their messages cost.
struct Participants {
  RankSummary ranks = {};
  int cluster = 0;
  int hosts = 0;
  std::int64_t number = 0;   // of ranks
  Bytes needed = 0;          // of a host: to receive from all others
  Bytes given = 0;           // of a host: to send to all others
  Picoseconds send = never;  // processor time of a message
  Picoseconds receive = never;
  Picoseconds own = never;      // the hosts' own latency
  Picoseconds out = never;      // to send: processor and own latency
  Picoseconds in = never;       // to receive
  Picoseconds through = never;  // to receive and send again

  void add(const Participants& other) {
    ranks.add(other.ranks);
    hosts += other.hosts;
    number += other.number;
    out = std::min(out, other.out);
    in = std::min(in, other.in);
    through = std::min(through, other.through);
    send = std::min(send, other.send);
    receive = std::min(receive, other.receive);
    own = std::min(own, other.own);
  }
};

/// The largest of the bounds by everything that limits a plan, each of which has a method `by_...`.
class Bound {
 public:
  Bound(const Request& request, const Platform& platform, const std::vector<Rank>& members, const Relief& relief)
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
  }

  Picoseconds all() {
    if (request_.ranks < 2 || nothing_moves()) return 0;
    bound_ = farthest_;
    by_spreading();
    if (hosts_.size() > 1) {
      by_hosts();
      by_even_network();
      by_uplinks(platform_.levels);
      by_backbones();
      by_group_backbones(platform_.levels);
      for (const Cut& cut : cuts(platform_)) by_cut(cut.inside, cut.rate);
    }
    return bound_;
  }

 private:
  Rank member(Rank rank) const { return members_[static_cast<std::size_t>(rank)]; }
  const Processor& processor(Rank rank) const { return platform_.processors[static_cast<std::size_t>(member(rank))]; }
  Picoseconds relieved(Picoseconds receive_overhead) const {
    return receive_overhead - saved_if_synchronous(receive_overhead, relief_.synchronous_receive);
  }
  Picoseconds& way(int a, int b) { return ways_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]; }
  // The rate of all concurrent messages of a host.
  BytesPerSecond rate_of(int host) const {
    const BytesPerSecond alone = platform_.hosts[static_cast<std::size_t>(host)].rate.value;
    if (relief_.together.empty()) return alone;
    const int more = relief_.together[static_cast<std::size_t>(hosts_.at(host).cluster)];
    return std::max(alone, part_of(alone, more));
  }
  void at_least(Picoseconds time) { bound_ = std::max(bound_, time); }

  void find_participants() {
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

  // The least latencies between hosts of clusters beyond what is the first and the last host's own, directly or by
  // hosts of others of these clusters. Clusters that take no part are never on the way.
  void find_ways() {
    const auto number = static_cast<std::size_t>(clusters_.rbegin()->first + 1);
    ways_.assign(number, std::vector<Picoseconds>(number, never));
    for (const auto& [a, of_a] : clusters_) {
      for (const auto& [b, of_b] : clusters_) way(a, b) = routes_.between(a, b);
    }
    if (number > most_clusters) {
      shorten_roughly();
      return;
    }
    for (const auto& [by, relay] : clusters_) {
      for (const auto& [a, of_a] : clusters_) {
        const Picoseconds first = plus(way(a, by), relay.through);
        for (const auto& [b, of_b] : clusters_) way(a, b) = std::min(way(a, b), plus(first, way(by, b)));
      }
    }
  }

  // Any way over others begins with the shortest link of its first cluster and ends with that of the last.
  void shorten_roughly() {
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
  Picoseconds latency(Rank from, Rank to) {
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
  void find_farthest() {
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

  void find_even_network() {
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

  // One rank's information reaches those that need it, all information a rank needs reaches it: messages of a rank
  // start one after the other.
  void by_spreading() {
    at_least(spreading_time(followers_, 1, least_send_, nearest_));
    at_least(spreading_time(sources_, 1, least_receive_, nearest_));
    // A host counts if one of its ranks does; the others of the host cost nothing.
    const int most = even_.ranks_per_host;
    const auto of_hosts = [most](int ranks) { return std::max(0, (ranks - (most - 1) + most - 1) / most); };
    if (hosts_.size() < 2) return;
    at_least(spreading_time(of_hosts(followers_), most, even_.send, even_.hop()));
    at_least(spreading_time(of_hosts(sources_), most, even_.receive, even_.hop()));
  }

  // What each host needs of all others, and the other way round.
  void find_needs() {
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

  // A host must receive what its ranks need of the clusters that are farther than a time, once that time is over, and
  // send what these need, at its own rate.
  void by_hosts() {
    std::map<int, std::vector<std::pair<Picoseconds, int>>> from_far;
    std::map<int, std::vector<std::pair<Picoseconds, int>>> to_far;
    for (const auto& [here, cluster] : clusters_) {
      for (const auto& [other, part] : clusters_) {
        if (here == other) continue;
        from_far[here].emplace_back(plus(part.out, way(other, here)), other);
        to_far[here].emplace_back(plus(part.in, way(here, other)), other);
      }
      std::sort(from_far[here].rbegin(), from_far[here].rend());
      std::sort(to_far[here].rbegin(), to_far[here].rend());
    }
    find_needs();
    Bytes in_all = 0;
    for (const auto& [host, part] : hosts_) {
      in_all += part.needed;
      const BytesPerSecond rate = rate_of(host);
      if (rate <= 0) continue;
      passes(std::max(part.needed, part.given), rate, even_.hop());
      if (!part.ranks.members.empty()) continue;  // counts of every pair: too many sums
      RankSummary far;
      for (const auto& [time, cluster] : from_far[part.cluster]) {
        far.add(clusters_.at(cluster).ranks);
        passes(needed_bytes(request_, far, part.ranks), rate, plus(time, part.in));
      }
      far = {};
      for (const auto& [time, cluster] : to_far[part.cluster]) {
        far.add(clusters_.at(cluster).ranks);
        passes(needed_bytes(request_, part.ranks, far), rate, plus(time, part.out));
      }
    }
    if (rules_.combined_per_host != nullptr) {
      in_all = rules_.combined_per_host(request_) * request_.element_bytes * (static_cast<Bytes>(hosts_.size()) - 1);
    }
    passes(in_all, even_.all_rates, even_.hop());
  }

  void by_even_network() {
    const Bytes vector = request_.count * request_.element_bytes;
    const BytesPerSecond root = rate_of(routes_.host_of(member(request_.root)));
    switch (request_.operation) {
      case Operation::bcast:
        if (root > 0) at_least(copying_time(even_, vector, root, even_.send));
        break;
      case Operation::reduce:
        if (root > 0) at_least(copying_time(even_, vector, root, even_.receive));
        break;
      case Operation::allreduce:
        if (even_.all_rates > 0) at_least(combining_time(even_, vector));
        break;
      case Operation::scan:
      case Operation::exscan:
        if (even_.all_rates > 0) at_least(prefix_time(even_, vector));
        break;
      default:
        break;
    }
  }

  void passes(Bytes bytes, BytesPerSecond rate, Picoseconds latency) {
    if (rate > 0 && bytes > 0) at_least(plus(latency, transfer_time(bytes, rate)));
  }

  // What must cross between some clusters and the others, after the least latency of those that need it.
  void by_cut(const std::vector<bool>& inside, BytesPerSecond rate) {
    for (const bool out : {true, false}) {
      RankSummary from;
      RankSummary to;
      Picoseconds latency = never;
      for (const auto& [a, of_a] : clusters_) {
        const bool sends = inside[static_cast<std::size_t>(a)] == out;
        (sends ? from : to).add(of_a.ranks);
        if (!sends || !may_send(of_a.ranks)) continue;
        for (const auto& [b, of_b] : clusters_) {
          if (inside[static_cast<std::size_t>(b)] == out || !may_receive(of_b.ranks)) continue;
          latency = std::min(latency, plus(of_a.out, plus(way(a, b), of_b.in)));
        }
      }
      if (latency == never) continue;
      passes(needed_bytes(request_, from, to), rate, latency);
      if (request_.operation == Operation::allreduce) by_combining(inside, out, rate);
      const bool prefixes = request_.operation == Operation::scan || request_.operation == Operation::exscan;
      if (prefixes) passes(sums_needed(inside, out) * request_.count * request_.element_bytes, rate, latency);
    }
  }

  // The ranks of one side that follow each other without a rank of the other have one sum, which the next rank of the
  // other side needs. The sums are independent of each other.
  Bytes sums_needed(const std::vector<bool>& inside, bool from) const {
    Bytes sums = 0;
    bool before = false;  // the last rank was of the side that sends
    for (Rank rank = 0; rank < request_.ranks; ++rank) {
      const bool sends = inside[static_cast<std::size_t>(routes_.cluster_of(member(rank)))] == from;
      if (before && !sends) ++sums;
      before = sends;
    }
    return sums;
  }

  // Of the h hosts of a part, one is the first to have all of an element. Before, the others have each sent what it
  // needs of them, and something has come in; after, each of them receives the whole. Of these 2 h - 1 messages of the
  // element, those that the hosts do not receive themselves leave the part.
  void by_combining(const std::vector<bool>& inside, bool which, BytesPerSecond rate) {
    Bytes hosts = 0;
    BytesPerSecond together = rate;
    for (const auto& [host, part] : hosts_) {
      if (inside[static_cast<std::size_t>(part.cluster)] != which) continue;
      if (rate_of(host) <= 0) return;
      ++hosts;
      together = plus(together, rate_of(host));
    }
    if (hosts == 0 || hosts == static_cast<Bytes>(hosts_.size())) return;
    passes((2 * hosts - 1) * request_.count * request_.element_bytes, together, even_.hop());
  }

  // All data comes from the root, or is for the root.
  bool may_send(const RankSummary& ranks) const {
    return traits(request_.operation).root != Root::source || ranks.root;
  }
  bool may_receive(const RankSummary& ranks) const {
    return traits(request_.operation).root != Root::target || ranks.root;
  }

  void by_uplinks(const Level& level) {
    const bool measured = level.uplink.error < level.uplink.value;  // else it is a guess
    if (measured && level.uplink.value > 0) {
      std::vector<bool> inside(ways_.size(), false);
      for (const auto& [number, cluster] : clusters_) {
        inside[static_cast<std::size_t>(number)] =
            std::ranges::binary_search(level.ranks, member(cluster.ranks.lowest));
      }
      by_cut(inside, level.uplink.value);
    }
    if (level.kind == Level::Kind::cluster) return;
    for (const Level& child : level.children) by_uplinks(child);
  }

  // A message loads the backbone of a cluster once if one of its ends is there. So the load is what the hosts receive
  // and what leaves, or what they send and what enters.
  void by_backbones() {
    const std::vector<const Level*> levels = tombolo::clusters(platform_.levels);
    for (const auto& [number, cluster] : clusters_) {
      const BytesPerSecond rate = levels[static_cast<std::size_t>(number)]->backbone.value;
      if (rate <= 0) continue;
      RankSummary outside;
      for (const auto& [other, part] : clusters_) {
        if (other != number) outside.add(part.ranks);
      }
      Bytes received = needed_bytes(request_, cluster.ranks, outside);
      Bytes sent = needed_bytes(request_, outside, cluster.ranks);
      for (const auto& [host, part] : hosts_) {
        if (part.cluster != number) continue;
        received += part.needed;
        sent += part.given;
      }
      Bytes load = std::max(received, sent);
      if (rules_.combined_per_host != nullptr) {
        const int ends = cluster.hosts + (outside.empty() ? 0 : 1);
        load = std::max(load, rules_.combined_per_host(request_) * request_.element_bytes * (ends - 1));
      }
      passes(load, rate, even_.hop());
    }
  }

  // Returns the ranks of the request that are in the level, or that are not.
  RankSummary ranks_of(const Level& level, bool inside) const {
    RankSummary found;
    for (const auto& [number, cluster] : clusters_) {
      if (std::ranges::binary_search(level.ranks, member(cluster.ranks.lowest)) == inside) found.add(cluster.ranks);
    }
    return found;
  }

  // The same with the children of a group for hosts.
  void by_group_backbones(const Level& level) {
    if (level.kind == Level::Kind::cluster) return;
    for (const Level& child : level.children) by_group_backbones(child);
    if (level.backbone.value <= 0) return;
    const RankSummary inside = ranks_of(level, true);
    const RankSummary outside = ranks_of(level, false);
    Bytes received = needed_bytes(request_, inside, outside);
    Bytes sent = needed_bytes(request_, outside, inside);
    for (const Level& child : level.children) {
      const RankSummary part = ranks_of(child, true);
      const RankSummary rest = ranks_of(child, false);
      received += needed_bytes(request_, rest, part);
      sent += needed_bytes(request_, part, rest);
    }
    passes(std::max(received, sent), level.backbone.value, even_.hop());
  }

  const Request& request_;
  const OperationRules& rules_;
  const Platform& platform_;
  const std::vector<Rank>& members_;
  const Relief& relief_;
  Routes routes_;
  std::map<int, Participants> hosts_;
  std::map<int, Participants> clusters_;
  std::vector<std::vector<Picoseconds>> ways_;  // between clusters
  std::map<int, std::vector<Rank>> ranks_;      // by host, of the request
  int followers_ = 0;                           // most ranks that need something of one rank
  int sources_ = 0;                             // most ranks of which one needs something
  EvenNetwork even_;
  Picoseconds nearest_ = never;        // least latency between two ranks
  Picoseconds least_send_ = never;     // and least processor time of a message
  Picoseconds least_receive_ = never;  // at its ends
  Picoseconds farthest_ = 0;           // largest latency between two ranks with one needing data of the other
  Picoseconds bound_ = 0;
};

}  // namespace

Picoseconds lower_bound(const Request& request, const Hockney& model) {
  return request.ranks == 1 ? 0 : rules(request.operation).hockney_bound(request, model);
}

Picoseconds lower_bound(const Request& request, const Platform& platform) {
  return lower_bound(request, platform, all_in_order(platform.ranks()));
}

Picoseconds lower_bound(const Request& request, const Platform& platform, const std::vector<Rank>& members,
                        const Relief& relief) {
  return Bound(request, platform, members, relief).all();
}

}  // namespace tombolo
