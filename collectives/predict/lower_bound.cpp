#include <algorithm>
#include <map>
#include <utility>

#include <tombolo/collectives/operations/rules.hpp>
#include <tombolo/collectives/predict/cuts.hpp>
#include <tombolo/collectives/predict/least_costs.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/models/network/network.hpp>
#include <tombolo/platform/description/members.hpp>

namespace tombolo {

namespace {

/// The largest of the bounds by everything that limits a plan, each of which has a method `by_...`.
class Bound {
 public:
  Bound(const Request& request, const Platform& platform, const std::vector<Rank>& members, const Relief& relief)
      : request_(request),
        rules_(rules(request.operation)),
        platform_(platform),
        least_(request, platform, members, relief),
        hosts_(least_.hosts()),
        clusters_(least_.clusters()),
        even_(least_.between_hosts()),
        hop_(even_.hop()) {}

  Picoseconds all() {
    if (request_.ranks < 2 || nothing_moves()) return 0;
    bound_ = least_.farthest();
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
  void at_least(Picoseconds time) { bound_ = std::max(bound_, time); }

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

  // One rank's information reaches those that need it, all information a rank needs reaches it: messages of a rank
  // start one after the other.
  void by_spreading() {
    at_least(spreading_time(least_.followers(), 1, least_.least_send(), least_.nearest()));
    at_least(spreading_time(least_.sources(), 1, least_.least_receive(), least_.nearest()));
    // A host counts if one of its ranks does; the others of the host cost nothing.
    const int most = even_.ranks_per_host;
    const auto of_hosts = [most](int ranks) { return std::max(0, (ranks - (most - 1) + most - 1) / most); };
    if (hosts_.size() < 2) return;
    at_least(spreading_time(of_hosts(least_.followers()), most, even_.send, hop_));
    at_least(spreading_time(of_hosts(least_.sources()), most, even_.receive, hop_));
  }

  // A host must receive what its ranks need of the clusters that are farther than a time, once that time is over, and
  // send what these need, at its own rate.
  void by_hosts() {
    std::map<int, std::vector<std::pair<Picoseconds, int>>> from_far;
    std::map<int, std::vector<std::pair<Picoseconds, int>>> to_far;
    for (const auto& [here, cluster] : clusters_) {
      for (const auto& [other, part] : clusters_) {
        if (here == other) continue;
        from_far[here].emplace_back(plus(part.out, least_.way(other, here)), other);
        to_far[here].emplace_back(plus(part.in, least_.way(here, other)), other);
      }
      std::sort(from_far[here].rbegin(), from_far[here].rend());
      std::sort(to_far[here].rbegin(), to_far[here].rend());
    }
    Bytes in_all = 0;
    for (const auto& [host, part] : hosts_) {
      in_all += part.needed;
      const BytesPerSecond rate = least_.rate_of(host);
      if (rate <= 0) continue;
      passes(std::max(part.needed, part.given), rate, hop_);
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
    passes(in_all, even_.all_rates, hop_);
  }

  void by_even_network() {
    const Bytes vector = request_.count * request_.element_bytes;
    const BytesPerSecond root = least_.rate_of_root();
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
          latency = std::min(latency, plus(of_a.out, plus(least_.way(a, b), of_b.in)));
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
      const bool sends = inside[static_cast<std::size_t>(least_.cluster_of(rank))] == from;
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
      if (least_.rate_of(host) <= 0) return;
      ++hosts;
      together = plus(together, least_.rate_of(host));
    }
    if (hosts == 0 || hosts == static_cast<Bytes>(hosts_.size())) return;
    passes((2 * hosts - 1) * request_.count * request_.element_bytes, together, hop_);
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
      std::vector<bool> inside(least_.all_clusters(), false);
      for (const auto& [number, cluster] : clusters_) {
        inside[static_cast<std::size_t>(number)] =
            std::ranges::binary_search(level.ranks, least_.member(cluster.ranks.lowest));
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
      passes(load, rate, hop_);
    }
  }

  // Returns the ranks of the request that are in the level, or that are not.
  RankSummary ranks_of(const Level& level, bool inside) const {
    RankSummary found;
    for (const auto& [number, cluster] : clusters_) {
      if (std::ranges::binary_search(level.ranks, least_.member(cluster.ranks.lowest)) == inside)
        found.add(cluster.ranks);
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
    passes(std::max(received, sent), level.backbone.value, hop_);
  }

  const Request& request_;
  const OperationRules& rules_;
  const Platform& platform_;
  LeastCosts least_;
  const std::map<int, LeastCosts::Participants>& hosts_;
  const std::map<int, LeastCosts::Participants>& clusters_;
  const EvenNetwork& even_;
  const Picoseconds hop_;  // between the two nearest hosts
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
