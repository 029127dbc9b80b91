#include <algorithm>

#include <tombolo/platform/clustering/link_rounds.hpp>
#include <tombolo/platform/measuring/rounds.hpp>

namespace tombolo {

namespace {

using Round = std::vector<std::pair<int, int>>;

void append_at(std::vector<Round>& rounds, std::size_t at, const Round& round) {
  if (rounds.size() <= at) rounds.resize(at + 1);
  rounds[at].insert(rounds[at].end(), round.begin(), round.end());
}

struct Numbered {
  std::vector<int> clusters;  // inside the group
  std::vector<Round> rounds;  // for all pairs inside the group
};

// Returns the pairs of a cluster in a and one in b, one pair per round.
std::vector<Round> across(const Numbered& a, const Numbered& b) {
  std::vector<Round> rounds;
  for (const int first : a.clusters) {
    for (const int second : b.clusters) rounds.push_back({std::minmax(first, second)});
  }
  return rounds;
}

Numbered plan(const HostGroup& group, int& next) {
  if (group.groups.empty()) return {.clusters = {next++}, .rounds = {}};
  std::vector<Numbered> children;
  for (const HostGroup& child : group.groups) children.push_back(plan(child, next));
  Numbered result;
  for (const Numbered& child : children) {
    result.clusters.insert(result.clusters.end(), child.clusters.begin(), child.clusters.end());
    // Rounds inside different children run concurrently, since they do not share links.
    for (std::size_t r = 0; r < child.rounds.size(); ++r) append_at(result.rounds, r, child.rounds[r]);
  }
  const int count = static_cast<int>(children.size());
  std::vector<std::vector<int>> opponents;
  for (int child = 0; child < count; ++child) opponents.push_back(tournament(child, count));
  for (std::size_t round = 0; round < opponents.front().size(); ++round) {
    const std::size_t begin = result.rounds.size();
    for (int child = 0; child < count; ++child) {
      const int opponent = opponents[static_cast<std::size_t>(child)][round];
      if (opponent < child) continue;
      const auto pairs =
          across(children[static_cast<std::size_t>(child)], children[static_cast<std::size_t>(opponent)]);
      for (std::size_t r = 0; r < pairs.size(); ++r) append_at(result.rounds, begin + r, pairs[r]);
    }
  }
  return result;
}

void collect(const HostGroup& group, std::vector<std::vector<int>>& found) {
  if (group.groups.empty()) found.push_back(group.hosts);
  for (const HostGroup& child : group.groups) collect(child, found);
}

}  // namespace

std::vector<std::vector<std::pair<int, int>>> link_rounds(const HostGroup& groups) {
  int next = 0;
  return plan(groups, next).rounds;
}

std::vector<std::vector<int>> cluster_hosts(const HostGroup& groups) {
  std::vector<std::vector<int>> found;
  collect(groups, found);
  return found;
}

}  // namespace tombolo
