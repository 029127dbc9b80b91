#include <algorithm>
#include <map>

#include <tombolo/models/pairs/pair_classes.hpp>

namespace tombolo {

namespace {

using Pairs = std::vector<std::pair<Rank, Rank>>;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

// At most `most` of the pairs, spread evenly.
Pairs thinned(const Pairs& pairs, std::size_t most) {
  if (pairs.size() <= most) return pairs;
  Pairs kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(pairs[i * pairs.size() / most]);
  return kept;
}

// Distinct pairs of ranks of two lists, without a repeated rank among the first min(sizes): diagonals of the product,
// far apart first.
Pairs across(const std::vector<Rank>& a, const std::vector<Rank>& b, std::size_t most) {
  const std::size_t small = std::min(a.size(), b.size());
  const std::size_t large = std::max(a.size(), b.size());
  const auto pair = [&](std::size_t in_small, std::size_t in_large) {
    return a.size() <= b.size() ? std::pair(a[in_small], b[in_large]) : std::pair(a[in_large], b[in_small]);
  };
  Pairs pairs;
  if (most <= small) {
    for (std::size_t i = 0; i < most; ++i) pairs.push_back(pair(i * small / most, i * large / most));
    return pairs;
  }
  const std::size_t diagonals = std::min(large, (most + small - 1) / small);
  for (std::size_t diagonal = 0; diagonal < diagonals; ++diagonal) {
    const std::size_t shift = diagonal * large / diagonals;
    for (std::size_t i = 0; i < small && pairs.size() < most; ++i) pairs.push_back(pair(i, (i + shift) % large));
  }
  return pairs;
}

// The ranks of each host of a cluster, the host with the most ranks first.
std::vector<std::vector<Rank>> by_host(const std::vector<Rank>& members, const std::vector<int>& host) {
  std::map<int, std::vector<Rank>> hosts;
  for (const Rank rank : members) hosts[host[at(rank)]].push_back(rank);
  std::vector<std::vector<Rank>> lists;
  lists.reserve(hosts.size());
  for (auto& entry : hosts) lists.push_back(std::move(entry.second));
  std::ranges::stable_sort(lists, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return lists;
}

// Disjoint pairs first, then others.
Pairs inside_hosts(const std::vector<std::vector<Rank>>& hosts, std::size_t most) {
  Pairs pairs;
  for (const std::vector<Rank>& ranks : hosts) {
    for (std::size_t i = 0; i + 1 < ranks.size(); i += 2) pairs.emplace_back(ranks[i], ranks[i + 1]);
  }
  if (pairs.size() >= most) return thinned(pairs, most);
  for (const std::vector<Rank>& ranks : hosts) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      for (std::size_t j = i + 1; j < ranks.size() && pairs.size() < most; ++j) {
        if (i % 2 == 1 || j != i + 1) pairs.emplace_back(ranks[i], ranks[j]);
      }
    }
  }
  return pairs;
}

// With ranks ordered by host, two ranks at a distance of the largest host's rank count or more are on different hosts.
Pairs between_hosts(const std::vector<std::vector<Rank>>& hosts, const std::vector<int>& host, std::size_t most) {
  std::vector<Rank> row;
  for (const std::vector<Rank>& ranks : hosts) row.insert(row.end(), ranks.begin(), ranks.end());
  const std::size_t shift = std::max(row.size() / 2, hosts.front().size());
  Pairs pairs;
  for (std::size_t i = 0; i < std::min(shift, row.size() - shift); ++i) pairs.emplace_back(row[i], row[i + shift]);
  const std::size_t disjoint = pairs.size();
  if (disjoint >= most) return thinned(pairs, most);
  for (std::size_t distance = row.size() - 1; distance > 0; --distance) {
    for (std::size_t i = 0; i + distance < row.size(); ++i) {
      if (pairs.size() == most) return pairs;
      const bool taken = distance == shift && i < disjoint;
      if (!taken && host[at(row[i])] != host[at(row[i + distance])]) pairs.emplace_back(row[i], row[i + distance]);
    }
  }
  return pairs;
}

}  // namespace

PairClasses::PairClasses(const Platform& platform)
    : cluster_(platform.processors.size(), 0), host_(platform.processors.size(), 0) {
  std::map<std::string, int> hosts;
  for (std::size_t rank = 0; rank < host_.size(); ++rank) {
    host_[rank] = hosts.emplace(platform.processors[rank].host, static_cast<int>(hosts.size())).first->second;
  }
  const std::vector<const Level*> levels = tombolo::clusters(platform.levels);
  const int count = static_cast<int>(levels.size());
  for (int cluster = 0; cluster < count; ++cluster) {
    members_.push_back(levels[at(cluster)]->ranks);
    for (const Rank rank : members_.back()) cluster_[at(rank)] = cluster;
  }
  index_.assign(at(count) * at(count + 1), -1);
  const auto add = [&](std::size_t place, std::string name) {
    index_[place] = size();
    places_.push_back(static_cast<int>(place));
    names_.push_back(std::move(name));
    return index_[place];
  };
  for (int a = 0; a < count; ++a) {
    const std::vector<std::vector<Rank>> lists = by_host(members_[at(a)], host_);
    if (lists.size() > 1) add(at(a * count + a), levels[at(a)]->name);
    if (lists.front().size() > 1) add(at(count * count + a), fmt::format("{}, inside hosts", levels[at(a)]->name));
  }
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      index_[at(b * count + a)] =
          add(at(a * count + b), fmt::format("{} - {}", levels[at(a)]->name, levels[at(b)]->name));
    }
  }
}

int PairClasses::of(Rank a, Rank b) const {
  if (a == b) throw Error(fmt::format("rank {} and itself", a), "messages are between different ranks");
  const int cluster = cluster_of(a);
  if (cluster != cluster_of(b)) return index_[at(cluster * clusters() + cluster_of(b))];
  return same_host(a, b) ? index_[at(clusters() * clusters() + cluster)] : index_[at(cluster * clusters() + cluster)];
}

bool PairClasses::between(int index) const {
  const int place = places_[at(index)];
  return place / clusters() != clusters() && place / clusters() != place % clusters();
}

std::vector<std::pair<Rank, Rank>> PairClasses::sample(int index, int most) const {
  if (index < 0 || index >= size() || most <= 0) return {};
  const int place = places_[at(index)];
  const int a = place / clusters();
  const int b = place % clusters();
  if (a == clusters()) return inside_hosts(by_host(members(b), host_), at(most));
  if (a == b) return between_hosts(by_host(members(a), host_), host_, at(most));
  return across(members(a), members(b), at(most));
}

}  // namespace tombolo
