#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Sorts pairs of different ranks into classes whose links are alike: both on one host of a logical cluster, on two
/// hosts of one cluster, in two given clusters. Only classes that have a pair are there. The order of a pair does not
/// matter.
class PairClasses {
 public:
  explicit PairClasses(const Platform& platform);

  int size() const { return static_cast<int>(names_.size()); }
  /// The class of a pair; a and b differ.
  int of(Rank a, Rank b) const;
  /// "c1", "c1, inside hosts", "c1 - c3".
  const std::string& name(int index) const { return names_[static_cast<std::size_t>(index)]; }
  /// Whether its pairs are in two clusters.
  bool between(int index) const;
  /// At most so many pairs of the class, of different ranks where possible, spread evenly over it; the same on all
  /// ranks.
  std::vector<std::pair<Rank, Rank>> sample(int index, int most) const;

  /// The logical cluster of each rank, numbered as by clusters().
  int cluster_of(Rank rank) const { return cluster_[static_cast<std::size_t>(rank)]; }
  int clusters() const { return static_cast<int>(members_.size()); }
  /// The ranks of a cluster, ascending.
  const std::vector<Rank>& members(int cluster) const { return members_[static_cast<std::size_t>(cluster)]; }
  bool same_host(Rank a, Rank b) const {
    return host_[static_cast<std::size_t>(a)] == host_[static_cast<std::size_t>(b)];
  }

 private:
  std::vector<std::string> names_;
  std::vector<int> index_;   // of the class by [cluster a][cluster b], then inside hosts by [cluster]; -1: no such pair
  std::vector<int> places_;  // in index_, by class
  std::vector<int> cluster_;
  std::vector<int> host_;
  std::vector<std::vector<Rank>> members_;
};

}  // namespace tombolo
