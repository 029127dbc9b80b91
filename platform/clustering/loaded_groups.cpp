#include <algorithm>
#include <map>
#include <random>

#include <tombolo/platform/clustering/loaded_groups.hpp>
#include <tombolo/platform/measuring/rounds.hpp>

namespace tombolo {

namespace {

// Maximum number of groups: if every second host were a group of its own, nothing would be shared.
constexpr std::size_t most_groups = 32;
constexpr int most_passes = 10;

// Sum and number of rates under load, each relative to the best rate of the slower of the two hosts.
struct Parts {
  double sum = 0;
  double number = 0;

  bool known() const { return number > 0; }
  double mean() const { return sum / number; }
  void add(const Parts& other) {
    sum += other.sum;
    number += other.number;
  }
};

class Table {
 public:
  explicit Table(std::size_t size) : size_(size), parts_(size * size) {}
  std::size_t size() const { return size_; }
  Parts& at(std::size_t a, std::size_t b) { return parts_[a * size_ + b]; }
  const Parts& at(std::size_t a, std::size_t b) const { return parts_[a * size_ + b]; }

 private:
  std::size_t size_;
  std::vector<Parts> parts_;
};

// A pair of hosts, numbered among those that may be split, and its rate relative to the best one of the slower host.
struct RelativeRate {
  std::size_t a = 0;
  std::size_t b = 0;
  double rate = 0;
};

std::vector<RelativeRate> relative_rates(const std::vector<int>& hosts, const std::vector<LoadedPair>& pairs) {
  std::map<int, std::size_t> index;
  for (std::size_t i = 0; i < hosts.size(); ++i) index[hosts[i]] = i;
  std::vector<RelativeRate> rates;
  std::vector<double> best(hosts.size());
  for (const LoadedPair& pair : pairs) {
    const auto a = index.find(pair.a);
    const auto b = index.find(pair.b);
    if (a == index.end() || b == index.end()) continue;
    rates.push_back({.a = a->second, .b = b->second, .rate = static_cast<double>(pair.rate)});
    for (const std::size_t host : {a->second, b->second}) best[host] = std::max(best[host], rates.back().rate);
  }
  for (RelativeRate& rate : rates) rate.rate /= std::min(best[rate.a], best[rate.b]);
  return rates;
}

Table table_of(std::size_t hosts, const std::vector<RelativeRate>& rates) {
  Table table(hosts);
  for (const RelativeRate& rate : rates) {
    const Parts one{rate.rate, 1};
    table.at(rate.a, rate.b).add(one);
    table.at(rate.b, rate.a).add(one);
  }
  return table;
}

// The group of every host, numbered from 0.
using Groups = std::vector<std::size_t>;

// Average linkage: merges the two groups with the fastest pairs between them, repeatedly, and returns the partition for
// each number of groups, from many to two.
std::vector<Groups> linkage(Table table) {
  Groups group(table.size());
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < table.size(); ++i) {
    group[i] = i;
    left.push_back(i);
  }
  std::vector<Groups> found;
  while (left.size() > 2) {
    double fastest = -1;
    std::size_t into = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = i + 1; j < left.size(); ++j) {
        const Parts& between = table.at(left[i], left[j]);
        if (!between.known() || between.mean() <= fastest) continue;
        fastest = between.mean();
        into = left[i];
        from = left[j];
      }
    }
    if (fastest < 0) break;
    std::erase(left, from);
    std::replace(group.begin(), group.end(), from, into);
    for (const std::size_t other : left) {
      if (other == into) continue;
      table.at(into, other).add(table.at(from, other));
      table.at(other, into).add(table.at(other, from));
    }
    if (left.size() > most_groups) continue;
    Groups numbered = group;
    for (std::size_t number = 0; number < left.size(); ++number) {
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (group[i] == left[number]) numbered[i] = number;
      }
    }
    found.push_back(numbered);
  }
  return found;
}

// Moves every host to the group with its fastest pairs, since the first merges rely on single pairs, which may be fast
// by chance.
void settle(const Table& hosts, Groups& groups, std::size_t count) {
  for (int pass = 0; pass < most_passes; ++pass) {
    bool moved = false;
    for (std::size_t host = 0; host < groups.size(); ++host) {
      std::vector<Parts> to(count);
      for (std::size_t other = 0; other < groups.size(); ++other) to[groups[other]].add(hosts.at(host, other));
      std::size_t best = groups[host];
      double fastest = to[best].known() ? to[best].mean() : 0;
      for (std::size_t g = 0; g < count; ++g) {
        if (!to[g].known() || to[g].mean() <= fastest) continue;
        fastest = to[g].mean();
        best = g;
      }
      moved = moved || best != groups[host];
      groups[host] = best;
    }
    if (!moved) return;
  }
}

// Returns the part of the sum of squared deviations of the rates that the partition into inside and across pairs
// explains; 0 unless pairs across any two groups are slower than pairs inside either one by more than the bound.
double explained(const Table& hosts, const Groups& groups, std::size_t count, double bound) {
  Table between(count);
  Parts inside;
  Parts across;
  for (std::size_t a = 0; a < groups.size(); ++a) {
    for (std::size_t b = a + 1; b < groups.size(); ++b) {
      const Parts& pair = hosts.at(a, b);
      (groups[a] == groups[b] ? inside : across).add(pair);
      between.at(groups[a], groups[b]).add(pair);
      if (groups[a] != groups[b]) between.at(groups[b], groups[a]).add(pair);
    }
  }
  for (std::size_t a = 0; a < count; ++a) {
    if (!between.at(a, a).known()) return 0;
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b || !between.at(a, b).known()) continue;
      if (between.at(a, a).mean() <= (1 + bound) * between.at(a, b).mean()) return 0;
    }
  }
  if (!across.known()) return 0;
  const double difference = inside.mean() - across.mean();
  return difference * difference * inside.number * across.number / (inside.number + across.number);
}

// The partition with the largest explained part.
struct Found {
  Groups groups;
  double most = 0;
};

Found find_groups(std::size_t hosts, const std::vector<RelativeRate>& rates, double bound) {
  const Table table = table_of(hosts, rates);
  Found found{.groups = Groups(hosts, 0)};
  for (Groups& groups : linkage(table)) {
    const std::size_t count = *std::max_element(groups.begin(), groups.end()) + 1;
    settle(table, groups, count);
    const double now = explained(table, groups, count, bound);
    if (now > found.most) found = {.groups = groups, .most = now};
  }
  return found;
}

// Permutation test: a search for the clearest contrast finds one in noise, too. The contrast is noise if the same
// relative rates, shuffled among the pairs, give a similar one. Rates as such would not do where cards differ: a fast
// host's, dealt out to a slow pair, is a contrast that no noise makes.
bool is_noise(const Found& found, std::size_t hosts, std::vector<RelativeRate> rates, double bound) {
  constexpr int deals = 5;
  constexpr double clearly = 2;  // required factor above the maximum of only a few shuffles
  std::vector<double> dealt;
  for (const RelativeRate& rate : rates) dealt.push_back(rate.rate);
  std::mt19937 random(static_cast<unsigned>(hosts));
  for (int deal = 0; deal < deals; ++deal) {
    shuffle_alike(dealt, random);
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i].rate = dealt[i];
    if (clearly * find_groups(hosts, rates, bound).most >= found.most) return true;
  }
  return false;
}

}  // namespace

std::vector<std::vector<int>> split_by_load(const std::vector<int>& hosts, const std::vector<LoadedPair>& pairs,
                                            double bound) {
  const std::vector<RelativeRate> rates = relative_rates(hosts, pairs);
  Found found = find_groups(hosts.size(), rates, bound);
  if (found.most > 0 && is_noise(found, hosts.size(), rates, bound)) found.groups.assign(hosts.size(), 0);
  std::map<std::size_t, std::vector<int>> members;
  for (std::size_t i = 0; i < hosts.size(); ++i) members[found.groups[i]].push_back(hosts[i]);
  std::vector<std::vector<int>> result;
  for (auto& [number, group] : members) {
    std::sort(group.begin(), group.end());
    result.push_back(group);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace tombolo
