#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

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

/// Figures of pairs of ranks, equal for all pairs of a class.
template <class Figures>
class ByClass {
 public:
  /// Throws Error unless every class of the platform has figures.
  ByClass(const Platform& platform, std::vector<Figures> figures) : classes_(platform), figures_(std::move(figures)) {
    if (figures_.size() != static_cast<std::size_t>(classes_.size())) {
      throw Error(
          fmt::format("figures of {} classes of pairs, where the platform has {}", figures_.size(), classes_.size()),
          "estimate the model on this platform");
    }
  }

  const PairClasses& classes() const { return classes_; }
  std::span<const Figures> all() const { return figures_; }
  /// Throws Error if a equals b.
  const Figures& of(Rank a, Rank b) const { return figures_[static_cast<std::size_t>(classes_.of(a, b))]; }

 private:
  PairClasses classes_;
  std::vector<Figures> figures_;
};

}  // namespace tombolo
