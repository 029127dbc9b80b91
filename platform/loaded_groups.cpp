#include <algorithm>
#include <limits>
#include <map>

#include <tombolo/platform/loaded_groups.hpp>

namespace tombolo {

namespace {

// Rates under load as parts of what the slower of the two hosts gets at best: sums and numbers by pair of groups, the
// diagonal holding the pairs inside.
class Averages {
 public:
  Averages(const std::vector<int>& hosts, const std::vector<LoadedPair>& pairs)
      : n_(hosts.size()), sums_(n_ * n_), numbers_(n_ * n_) {
    std::map<int, std::size_t> index;
    for (std::size_t i = 0; i < n_; ++i) index[hosts[i]] = i;
    std::vector<double> best(n_);
    const auto for_each = [&](const auto& what) {
      for (const LoadedPair& pair : pairs) {
        const auto a = index.find(pair.a);
        const auto b = index.find(pair.b);
        if (a != index.end() && b != index.end()) what(a->second, b->second, static_cast<double>(pair.rate));
      }
    };
    for_each([&](std::size_t a, std::size_t b, double rate) {
      best[a] = std::max(best[a], rate);
      best[b] = std::max(best[b], rate);
    });
    for_each([&](std::size_t a, std::size_t b, double rate) {
      const double part = rate / std::min(best[a], best[b]);
      add(a, b, part, 1);
      add(b, a, part, 1);
    });
  }

  bool known(std::size_t a, std::size_t b) const { return numbers_[a * n_ + b] > 0; }
  double mean(std::size_t a, std::size_t b) const { return sums_[a * n_ + b] / numbers_[a * n_ + b]; }

  void merge(std::size_t into, std::size_t from) {
    for (std::size_t other = 0; other < n_; ++other) {
      if (other == into || other == from) continue;
      add(into, other, sums_[from * n_ + other], numbers_[from * n_ + other]);
      add(other, into, sums_[from * n_ + other], numbers_[from * n_ + other]);
    }
    // The diagonal counts every pair once.
    add(into, into, sums_[from * n_ + from] + sums_[into * n_ + from],
        numbers_[from * n_ + from] + numbers_[into * n_ + from]);
  }

 private:
  void add(std::size_t a, std::size_t b, double sum, double number) {
    sums_[a * n_ + b] += sum;
    numbers_[a * n_ + b] += number;
  }

  std::size_t n_;
  std::vector<double> sums_;
  std::vector<double> numbers_;
};

struct Group {
  std::size_t index;
  std::vector<int> hosts;
};

// How many times faster pairs inside a group are than pairs across, in the worst case; 0 where a group has no pairs.
double contrast(const Averages& averages, const std::vector<Group>& groups) {
  double least = std::numeric_limits<double>::infinity();
  for (const Group& a : groups) {
    if (!averages.known(a.index, a.index)) return 0;
    for (const Group& b : groups) {
      if (a.index == b.index || !averages.known(a.index, b.index)) continue;
      least = std::min(least, averages.mean(a.index, a.index) / averages.mean(a.index, b.index));
    }
  }
  return least;
}

}  // namespace

std::vector<std::vector<int>> split_by_load(const std::vector<int>& hosts, const std::vector<LoadedPair>& pairs,
                                            double bound) {
  Averages averages(hosts, pairs);
  std::vector<Group> groups;
  for (std::size_t i = 0; i < hosts.size(); ++i) groups.push_back({i, {hosts[i]}});
  // Average linkage, the fastest pair of groups first; the partition with the clearest contrast is kept.
  std::vector<Group> kept;
  double clearest = 1 + bound;
  while (groups.size() > 1) {
    double fastest = -1;
    std::size_t a = 0;
    std::size_t b = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t j = i + 1; j < groups.size(); ++j) {
        if (!averages.known(groups[i].index, groups[j].index)) continue;
        const double mean = averages.mean(groups[i].index, groups[j].index);
        if (mean <= fastest) continue;
        fastest = mean;
        a = i;
        b = j;
      }
    }
    if (fastest < 0) break;
    averages.merge(groups[a].index, groups[b].index);
    groups[a].hosts.insert(groups[a].hosts.end(), groups[b].hosts.begin(), groups[b].hosts.end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(b));
    if (groups.size() == 1) break;
    const double now = contrast(averages, groups);
    if (now <= clearest) continue;
    clearest = now;
    kept = groups;
  }
  std::vector<std::vector<int>> result;
  for (Group& group : kept) {
    std::sort(group.hosts.begin(), group.hosts.end());
    result.push_back(group.hosts);
  }
  if (result.empty()) {
    result.push_back(hosts);
    std::sort(result.front().begin(), result.front().end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace tombolo
