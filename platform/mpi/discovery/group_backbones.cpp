#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <tombolo/platform.hpp>
#include <tombolo/platform/mpi/discovery/uplinks.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

namespace {

constexpr std::size_t most_flows_of_child = 32;
constexpr std::size_t most_flows_of_group = 256;

// A group with its number in depth-first order, the numbers of its children and the clusters inside each.
struct Family {
  std::size_t group = 0;
  std::vector<std::size_t> children = {};
  std::vector<std::vector<int>> clusters = {};
};

// Returns the groups of clusters, outer ones first.
std::vector<Family> families_of(const HostGroup& groups) {
  std::vector<Family> families;
  const std::vector<GroupSpan> spans = spans_of(groups);
  for (std::size_t g = 0; g < spans.size(); ++g) {
    if (spans[g].children.empty()) continue;
    Family& family = families.emplace_back(Family{.group = g, .children = spans[g].children});
    for (const std::size_t child : family.children) {
      std::vector<int>& clusters = family.clusters.emplace_back();
      for (int c = spans[child].first; c < spans[child].end; ++c) clusters.push_back(c);
    }
  }
  return families;
}

// The hosts of a child, as cluster and host: half of them send, the others receive. They are taken round robin from its
// clusters, so that all links are used.
struct Roles {
  std::vector<std::pair<int, int>> senders;
  std::vector<std::pair<int, int>> receivers;
};

// Which half of a child's hosts sends; a network that routes by numbers may send what goes to every second host over
// half of its links.
enum class Half : std::uint8_t { every_second, first };

Roles roles_of(const std::vector<int>& inside, const std::vector<std::vector<int>>& clusters, Half half,
               bool alone_sends) {
  const auto hosts = dealt(inside, clusters);
  Roles roles;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const bool sends = half == Half::first ? 2 * i < hosts.size() : i % 2 == 0;
    (sends == (hosts.size() > 1 || alone_sends) ? roles.senders : roles.receivers).push_back(hosts[i]);
  }
  return roles;
}

// Messages from each child to the next one, equally many, and the total that what is known explains. All may get no
// more than those that get the least: acknowledgements of some share links with others.
struct Crossing {
  Flows flows;
  std::vector<LargeMessage> messages;
  double expected = 0;
};

Crossing crossing(const Family& family, Half half, const std::vector<std::vector<int>>& clusters,
                  const std::vector<LinkRates>& links, const std::vector<SharedLine>& lines,
                  const std::vector<BytesPerSecond>& uplinks, const std::vector<Measured>& backbones) {
  const std::size_t children = family.children.size();
  std::vector<Roles> roles;
  for (std::size_t c = 0; c < children; ++c) roles.push_back(roles_of(family.clusters[c], clusters, half, c % 2 == 0));
  std::size_t each = std::clamp<std::size_t>(most_flows_of_group / children, 1, most_flows_of_child);
  for (std::size_t c = 0; c < children; ++c) {
    each = std::min({each, roles[c].senders.size(), roles[(c + 1) % children].receivers.size()});
  }
  Crossing all;
  double least = std::numeric_limits<double>::max();
  for (std::size_t c = 0; c < children; ++c) {
    const std::size_t other = (c + 1) % children;
    std::vector<int> flows_of(links.size());
    for (std::size_t f = 0; f < each; ++f) {
      const auto& [from, sender] = roles[c].senders[f];
      const auto& [to, receiver] = roles[other].receivers[f];
      const std::size_t link = link_index(from, to, static_cast<int>(clusters.size()));
      if (links[link].flows == 0) return {};
      all.flows.emplace_back(sender, receiver);
      all.messages.push_back(links[link].one);
      ++flows_of[link];
    }
    auto expected = static_cast<double>(explained(links, lines, static_cast<int>(clusters.size()), flows_of));
    for (const std::size_t child : {family.children[c], family.children[other]}) {
      // A backbone carries what leaves its group and what enters it.
      const double both_ways = static_cast<double>(backbones[child].value) / 2;
      if (both_ways > 0) expected = std::min(expected, both_ways);
      if (uplinks[child] > 0) expected = std::min(expected, static_cast<double>(uplinks[child]));
    }
    least = std::min(least, expected);
  }
  all.expected = least * static_cast<double>(children);
  return all;
}

// The total rate of the messages, measured once if it is `unlimited`. The same on all ranks. Collective.
Measured rate_of(Team& team, const Crossing& all, double unlimited) {
  constexpr Picoseconds latencies = 8;  // beside which the time between the first start and the last is short
  const FlowOptions options{.enough = static_cast<BytesPerSecond>(unlimited),
                            .lasting = long_enough(all.messages, latencies)};
  const Measured total = measure_flows(team, all.flows, all.messages, options);
  const bool leads = team.rank == all.flows.front().first;
  const Figures figures = everybodys(team, leads ? Figures{total.value, total.error} : Figures{});
  return {.value = figures[0], .error = figures[1]};
}

}  // namespace

int measure_group_backbones(Team& team, const HostGroup& groups, const std::vector<std::vector<int>>& clusters,
                            const std::vector<LinkRates>& links, const std::vector<SharedLine>& lines,
                            const std::vector<BytesPerSecond>& uplinks, std::vector<Measured>& backbones,
                            double bound) {
  std::vector<Family> families = families_of(groups);
  std::ranges::reverse(families);
  for (auto at = families.begin(); at != families.end(); ++at) {
    if (!in_time(team, machine::now() > team.until)) return static_cast<int>(families.end() - at);
    const Family& family = *at;
    Measured most;
    double unlimited = 0;
    for (const Half half : {Half::every_second, Half::first}) {
      const Crossing all = crossing(family, half, clusters, links, lines, uplinks, backbones);
      if (all.flows.size() < 2) break;
      unlimited = all.expected / (1 + bound);
      const Measured total = rate_of(team, all, unlimited);
      if (total.value > most.value) most = total;
      if (static_cast<double>(most.value) >= unlimited) break;
    }
    if (static_cast<double>(most.value) < unlimited) backbones[family.group] = most;
  }
  return 0;
}

}  // namespace tombolo::discovery
