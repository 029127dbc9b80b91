#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// Classifies unordered pairs of different ranks by link: on one host of a logical cluster, on two hosts of one
/// cluster, or in two given clusters. Contains non-empty classes only.
class PairClasses {
 public:
  explicit PairClasses(const Platform& platform);

  int size() const { return static_cast<int>(names_.size()); }
  /// The class of a pair; a and b differ.
  int of(Rank a, Rank b) const;
  /// "c1", "c1, inside hosts", "c1 - c3".
  const std::string& name(int index) const { return names_[static_cast<std::size_t>(index)]; }
  /// True if the pairs of the class are between two clusters.
  bool between(int index) const;
  /// At most `most` pairs of the class, of disjoint ranks where possible, spread evenly over the class; equal on all
  /// ranks.
  std::vector<std::pair<Rank, Rank>> sample(int index, int most) const;

  /// The logical cluster of a rank, numbered as by clusters().
  int cluster_of(Rank rank) const { return cluster_[static_cast<std::size_t>(rank)]; }
  int clusters() const { return static_cast<int>(members_.size()); }
  /// The ranks of a cluster, ascending.
  const std::vector<Rank>& members(int cluster) const { return members_[static_cast<std::size_t>(cluster)]; }
  bool same_host(Rank a, Rank b) const {
    return host_[static_cast<std::size_t>(a)] == host_[static_cast<std::size_t>(b)];
  }

 private:
  std::vector<std::string> names_;
  std::vector<int> index_;   // class by [cluster a][cluster b], then inside hosts by [cluster]; -1: none
  std::vector<int> places_;  // position in index_, by class
  std::vector<int> cluster_;
  std::vector<int> host_;
  std::vector<std::vector<Rank>> members_;
};

}  // namespace tombolo
