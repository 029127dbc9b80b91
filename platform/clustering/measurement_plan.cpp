#include <algorithm>
#include <functional>
#include <numeric>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/latencies.hpp>
#include <tombolo/platform/clustering/measurement_plan.hpp>
#include <tombolo/platform/measuring/rounds.hpp>

namespace tombolo {

namespace {

using Round = std::vector<std::pair<int, int>>;

void append_at(LinkRounds& rounds, std::size_t at, const Round& round) {
  if (rounds.size() <= at) rounds.resize(at + 1);
  rounds[at].insert(rounds[at].end(), round.begin(), round.end());
}

struct Numbered {
  std::vector<int> clusters;  // inside the group, the fastest first
  LinkRounds first;           // for one pair of every two children, here and in the groups inside
  LinkRounds others;          // for all other pairs inside the group
};

// Returns the pairs of a cluster in a and one in b, one pair per round.
LinkRounds across(const Numbered& a, const Numbered& b) {
  LinkRounds rounds;
  for (const int first : a.clusters) {
    for (const int second : b.clusters) rounds.push_back({std::minmax(first, second)});
  }
  return rounds;
}

// `split`: one pair of every two children comes first; else all pairs are among the others.
Numbered plan(const HostGroup& group, const std::vector<BytesPerSecond>& rates, bool split, int& next) {
  if (group.groups.empty()) return {.clusters = {next++}, .first = {}, .others = {}};
  std::vector<Numbered> children;
  for (const HostGroup& child : group.groups) children.push_back(plan(child, rates, split, next));
  Numbered result;
  for (const Numbered& child : children) {
    result.clusters.insert(result.clusters.end(), child.clusters.begin(), child.clusters.end());
    // Rounds inside different children run concurrently, since they do not share links.
    for (std::size_t r = 0; r < child.first.size(); ++r) append_at(result.first, r, child.first[r]);
    for (std::size_t r = 0; r < child.others.size(); ++r) append_at(result.others, r, child.others[r]);
  }
  const auto rate = [&](int cluster) {
    const auto at = static_cast<std::size_t>(cluster);
    return at < rates.size() ? rates[at] : 0;
  };
  std::ranges::stable_sort(result.clusters, std::greater(), rate);
  const int count = static_cast<int>(children.size());
  std::vector<std::vector<int>> opponents;
  for (int child = 0; child < count; ++child) opponents.push_back(tournament(child, count));
  for (std::size_t round = 0; round < opponents.front().size(); ++round) {
    const std::size_t first = result.first.size();
    const std::size_t others = result.others.size();
    for (int child = 0; child < count; ++child) {
      const int opponent = opponents[static_cast<std::size_t>(child)][round];
      if (opponent < child) continue;
      const auto pairs =
          across(children[static_cast<std::size_t>(child)], children[static_cast<std::size_t>(opponent)]);
      if (split) append_at(result.first, first, pairs.front());
      const std::size_t rest = split ? 1 : 0;
      for (std::size_t r = rest; r < pairs.size(); ++r) append_at(result.others, others + r - rest, pairs[r]);
    }
  }
  return result;
}

}  // namespace

LinkRounds link_rounds(const HostGroup& groups) {
  int next = 0;
  return plan(groups, {}, false, next).others;
}

std::pair<LinkRounds, LinkRounds> rounds_by_group(const HostGroup& groups, const std::vector<BytesPerSecond>& rates) {
  int next = 0;
  Numbered all = plan(groups, rates, true, next);
  return {std::move(all.first), std::move(all.others)};
}

std::vector<std::size_t> stand_ins(const HostGroup& groups, const std::vector<BytesPerSecond>& rates) {
  std::vector<std::size_t> found(rates.size());
  std::iota(found.begin(), found.end(), std::size_t{0});
  const std::vector<GroupSpan> spans = spans_of(groups);
  const int clusters = spans.front().end;
  const auto of_pairs = [&](const GroupSpan& one, const GroupSpan& other, const auto& apply) {
    for (int a = one.first; a < one.end; ++a) {
      for (int b = other.first; b < other.end; ++b) apply(link_index(a, b, clusters));
    }
  };
  for (const GroupSpan& group : spans) {
    for (std::size_t i = 0; i < group.children.size(); ++i) {
      for (std::size_t j = i + 1; j < group.children.size(); ++j) {
        const GroupSpan& one = spans[group.children[i]];
        const GroupSpan& other = spans[group.children[j]];
        std::size_t best = found.size();
        of_pairs(one, other, [&](std::size_t link) {
          if (rates[link] > 0 && (best == found.size() || rates[link] > rates[best])) best = link;
        });
        if (best == found.size()) continue;
        of_pairs(one, other, [&](std::size_t link) {
          if (rates[link] == 0) found[link] = best;
        });
      }
    }
  }
  return found;
}

std::vector<std::vector<int>> cluster_hosts(const HostGroup& groups) {
  std::vector<std::vector<int>> found;
  for (const GroupSpan& span : spans_of(groups)) {
    if (span.children.empty()) found.push_back(span.group->hosts);
  }
  return found;
}

namespace {

constexpr std::size_t least_in_cluster = 2;
// A limit, since noise can make a host differ from any number of landmarks.
constexpr std::size_t most_in_cluster = 8;

// Returns true if the latencies from the other landmarks to the host agree with those to one of the landmarks.
bool is_seen_alike(const Latencies& latencies, int host, const std::vector<int>& landmarks, double bound,
                   Picoseconds floor) {
  const auto agree = [&](int like, int witness) {
    const auto one = latencies.between(host, witness);
    const auto other = latencies.between(like, witness);
    if (!one || !other) return true;  // the witness is the compared landmark itself
    const auto a = static_cast<double>(one->value);
    const auto b = static_cast<double>(other->value);
    const auto nothing = static_cast<double>(floor);
    return a <= (1 + bound) * b + nothing && b <= (1 + bound) * a + nothing;
  };
  return std::any_of(landmarks.begin(), landmarks.end(), [&](int like) {
    return std::all_of(landmarks.begin(), landmarks.end(), [&](int witness) { return agree(like, witness); });
  });
}

}  // namespace

std::vector<int> missing_landmarks(const HostGroup& groups, const Latencies& latencies, const std::set<int>& landmarks,
                                   const std::vector<int>& candidates, double bound) {
  const Picoseconds floor = std::max(latencies.overhead(), clustering::noise_floor(latencies, candidates, bound));
  std::vector<int> missing;
  for (const std::vector<int>& cluster : cluster_hosts(groups)) {
    const std::set<int> members(cluster.begin(), cluster.end());
    std::vector<int> own;
    std::vector<int> others;
    for (const int host : candidates) {
      if (members.contains(host)) (landmarks.contains(host) ? own : others).push_back(host);
    }
    std::size_t wanted = own.size() < least_in_cluster ? least_in_cluster - own.size() : 0;
    if (wanted == 0) {
      std::erase_if(others, [&](int host) { return is_seen_alike(latencies, host, own, bound, floor); });
      if (own.size() < most_in_cluster) wanted = least_in_cluster;
    }
    others.resize(std::min(others.size(), wanted));
    missing.insert(missing.end(), others.begin(), others.end());
  }
  return missing;
}

}  // namespace tombolo
