#pragma once

#include <map>
#include <vector>

#include <tombolo/collectives/operations/rules.hpp>
#include <tombolo/collectives/predict/even_network.hpp>
#include <tombolo/collectives/predict/lower_bound.hpp>
#include <tombolo/platform/description/routes.hpp>

namespace tombolo {

/// What no plan for a request can do better on a platform: the participants, the shortest ways between them, and the
/// network of their best figures. All arguments must outlive it.
class LeastCosts {
 public:
  /// The ranks of a host or cluster that take part, and the least that their messages cost.
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

  LeastCosts(const Request& request, const Platform& platform, const std::vector<Rank>& members, const Relief& relief);

  /// By the numbers of the platform's hosts and clusters.
  const std::map<int, Participants>& hosts() const { return hosts_; }
  const std::map<int, Participants>& clusters() const { return clusters_; }
  Rank member(Rank rank) const { return members_[static_cast<std::size_t>(rank)]; }
  int cluster_of(Rank rank) const { return routes_.cluster_of(member(rank)); }
  /// The rate of all concurrent messages of a host; 0 if unknown.
  BytesPerSecond rate_of(int host) const;
  BytesPerSecond rate_of_root() const { return rate_of(routes_.host_of(member(request_.root))); }
  /// The least latency between hosts of clusters beyond what is the first and the last host's own, directly or by hosts
  /// of others of these clusters. Clusters that take no part are never on the way.
  Picoseconds way(int a, int b) const { return ways_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]; }
  /// One more than the highest number of a cluster.
  std::size_t all_clusters() const { return ways_.size(); }

  const EvenNetwork& between_hosts() const { return even_; }
  /// The least latency between two ranks, and processor times of a message at its ends.
  Picoseconds nearest() const { return nearest_; }
  Picoseconds least_send() const { return least_send_; }
  Picoseconds least_receive() const { return least_receive_; }
  /// The largest latency between two ranks of which one needs data of the other.
  Picoseconds farthest() const { return farthest_; }
  /// The most ranks that need something of one rank, and of which one needs something.
  int followers() const { return followers_; }
  int sources() const { return sources_; }

 private:
  const Processor& processor(Rank rank) const { return platform_.processors[static_cast<std::size_t>(member(rank))]; }
  Picoseconds relieved(Picoseconds receive_overhead) const;
  void find_participants();
  void find_ways();
  void shorten_roughly();
  Picoseconds latency(Rank from, Rank to) const;
  void find_farthest();
  void find_even_network();
  void find_needs();

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
  int followers_ = 0;
  int sources_ = 0;
  EvenNetwork even_;
  Picoseconds nearest_ = never;
  Picoseconds least_send_ = never;
  Picoseconds least_receive_ = never;
  Picoseconds farthest_ = 0;
};

}  // namespace tombolo
