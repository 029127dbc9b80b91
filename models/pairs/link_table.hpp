#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Figures of unordered pairs of different ranks: one for each pair inside a logical cluster, one for all pairs between
/// two clusters. 4,096 ranks in 64 clusters have 131,040 figures instead of 8 million.
template <class Figure>
class PairTable {
 public:
  explicit PairTable(const PairClasses& classes, const Figure& initial = {}) : clusters_(classes.clusters()) {
    first_.reserve(static_cast<std::size_t>(clusters_) + 1);
    std::size_t cells = 0;
    for (int cluster = 0; cluster < clusters_; ++cluster) {
      first_.push_back(cells);
      const std::vector<Rank>& members = classes.members(cluster);
      for (std::size_t place = 0; place < members.size(); ++place) {
        const auto rank = static_cast<std::size_t>(members[place]);
        if (rank >= places_.size()) places_.resize(rank + 1);
        places_[rank] = {cluster, static_cast<int>(place)};
      }
      cells += members.size() * (members.size() - 1) / 2;
    }
    first_.push_back(cells);
    cells_.assign(cells + triangle(clusters_), initial);
  }

  /// Throws Error if a equals b.
  Figure& at(Rank a, Rank b) { return cells_[cell(a, b)]; }
  const Figure& at(Rank a, Rank b) const { return cells_[cell(a, b)]; }

  int clusters() const { return clusters_; }
  /// The cluster that both ranks are in, if there is one.
  std::optional<int> cluster_of(Rank a, Rank b) const {
    const int one = places_[static_cast<std::size_t>(a)].cluster;
    if (one != places_[static_cast<std::size_t>(b)].cluster) return std::nullopt;
    return one;
  }
  /// Figures of the pairs inside a cluster, by its ranks in ascending order: (1st, 0th), (2nd, 0th), (2nd, 1st), (3rd,
  /// 0th), ...
  std::span<Figure> inside(int cluster) { return part<Figure>(cells_, cluster); }
  std::span<const Figure> inside(int cluster) const { return part<const Figure>(cells_, cluster); }
  /// Figures of the pairs of clusters, in the same order.
  std::span<Figure> between() { return std::span(cells_).subspan(first_.back()); }
  std::span<const Figure> between() const { return std::span(cells_).subspan(first_.back()); }
  /// All figures.
  std::span<const Figure> cells() const { return cells_; }

  bool operator==(const PairTable&) const = default;

 private:
  struct Place {
    int cluster = 0;
    int inside = 0;
    bool operator==(const Place&) const = default;
  };

  static std::size_t triangle(int count) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(std::max(count - 1, 0)) / 2;
  }
  static std::size_t below(int a, int b) { return triangle(std::max(a, b)) + static_cast<std::size_t>(std::min(a, b)); }

  template <class Cell, class Cells>
  std::span<Cell> part(Cells& cells, int cluster) const {
    const std::size_t begin = first_[static_cast<std::size_t>(cluster)];
    return std::span<Cell>(cells).subspan(begin, first_[static_cast<std::size_t>(cluster) + 1] - begin);
  }

  std::size_t cell(Rank a, Rank b) const {
    if (a == b) throw Error(fmt::format("rank {} and itself", a), "messages are between different ranks");
    const Place one = places_[static_cast<std::size_t>(a)];
    const Place other = places_[static_cast<std::size_t>(b)];
    if (one.cluster != other.cluster) return first_.back() + below(one.cluster, other.cluster);
    return first_[static_cast<std::size_t>(one.cluster)] + below(one.inside, other.inside);
  }

  int clusters_;
  std::vector<std::size_t> first_;  // first cell of each cluster, then of the pairs of clusters
  std::vector<Place> places_;       // by rank
  std::vector<Figure> cells_;
};

/// Cost of M bytes between two ranks: latency + M * per_megabyte.
struct LinkCost {
  Picoseconds latency = 0;
  PerMegabyte per_megabyte = 0;  ///< ps per 10^6 bytes
  bool operator==(const LinkCost&) const = default;
};

using LinkTable = PairTable<LinkCost>;

/// Builds a table from latencies, in ps, and slopes, in ps per byte, of sampled pairs, at least one of every class. A
/// sampled pair inside a cluster keeps its own values; all other pairs, including pairs between clusters, get the
/// medians of their class.
LinkTable link_table(const PairClasses& classes, std::span<const std::pair<Rank, Rank>> pairs,
                     std::span<const double> latencies, std::span<const double> slopes);

/// Returns {"inside": [{"latency": [...], "per_megabyte": [...]}, ...], "between": {...}}, in the order of PairTable.
/// `latency_inside` false omits the latencies inside clusters, for tables in which these are all 0.
Json written_links(const LinkTable& links, bool latency_inside);

/// Reads the output of written_links() into a table of the platform. Throws Error for a different number of entries.
void read_links(const JsonNode& parameters, LinkTable& links, bool latency_inside);

/// Returns the list in `node`. Throws Error unless it has `count` entries: "has 3 entries, where the platform has 4
/// ranks".
std::vector<JsonNode> list_of(const JsonNode& node, std::size_t count, std::string_view what);

}  // namespace tombolo
