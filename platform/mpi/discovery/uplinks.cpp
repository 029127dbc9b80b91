#include <algorithm>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/measurement_plan.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>
#include <tombolo/platform/mpi/discovery/uplinks.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::discovery {

std::vector<std::pair<int, int>> dealt(const std::vector<int>& from, const std::vector<std::vector<int>>& clusters) {
  std::vector<std::pair<int, int>> dealt;
  for (std::size_t k = 0; true; ++k) {
    const std::size_t before = dealt.size();
    for (const int c : from) {
      const std::vector<int>& hosts = clusters[static_cast<std::size_t>(c)];
      if (k < hosts.size()) dealt.emplace_back(c, hosts[k]);
    }
    if (dealt.size() == before) return dealt;
  }
}

BytesPerSecond explained(const std::vector<LinkRates>& links, const std::vector<SharedLine>& lines, int clusters,
                         const std::vector<int>& flows_of) {
  const auto rate_of = [&](std::size_t l) {
    const BytesPerSecond apart = links[l].one.rate.value * flows_of[l];
    // A number of flows up to the measured one gets at most the measured total.
    return links[l].flows >= flows_of[l] ? std::min(apart, links[l].total.value) : apart;
  };
  BytesPerSecond rate = 0;
  for (std::size_t l = 0; l < links.size(); ++l) rate += rate_of(l);
  for (const SharedLine& line : lines) {
    BytesPerSecond apart = 0;
    for (const auto& [a, b] : line.pairs) apart += rate_of(link_index(a, b, clusters));
    rate -= std::max<BytesPerSecond>(apart - line.rate.value, 0);
  }
  return rate;
}

namespace {

// The flows out of a group, and their expected total rate if only hosts and links between clusters limit them.
struct Leaving {
  Flows flows;
  std::vector<LargeMessage> messages;
  BytesPerSecond expected = 0;
};

// Groups that hold the one at hand, from the inner to the outer, whose uplinks are known.
struct Around {
  const Uplink* group = nullptr;
  BytesPerSecond uplink = 0;
};

// The hosts that send and receive, each with its cluster.
struct Ends {
  std::vector<std::pair<int, int>> senders;
  std::vector<std::pair<int, int>> receivers;
};

// For a quick look at what leaves a group: the fastest of its links, and the fastest to another cluster.
Ends fastest_two(const std::vector<std::vector<int>>& clusters, const std::vector<LinkRates>& links,
                 const Uplink& group) {
  Ends two;
  for (std::size_t flow = 0; flow < 2; ++flow) {
    std::tuple<BytesPerSecond, int, int> best{-1, 0, 0};
    for (const int inside : group.inside) {
      const bool sends = !two.senders.empty() && two.senders.front().first == inside;
      if (sends && std::ssize(clusters[static_cast<std::size_t>(inside)]) < 2) continue;
      for (const int outside : group.outside) {
        if (!two.receivers.empty() && two.receivers.front().first == outside) continue;
        const LinkRates& link = links[link_index(inside, outside, static_cast<int>(clusters.size()))];
        best = std::max(best, {link.one.rate.value, inside, outside});
      }
    }
    const auto [rate, inside, outside] = best;
    if (rate < 0) return two;
    const std::size_t second = !two.senders.empty() && two.senders.front().first == inside ? 1 : 0;
    two.senders.emplace_back(inside, clusters[static_cast<std::size_t>(inside)][second]);
    two.receivers.emplace_back(outside, clusters[static_cast<std::size_t>(outside)].front());
  }
  return two;
}

// The clusters outside a group, those with the fastest links to it first.
std::vector<int> fastest_first(const std::vector<LinkRates>& links, const Uplink& group,
                               const std::vector<std::vector<int>>& clusters) {
  const auto fastest = [&](int outside) {
    BytesPerSecond rate = 0;
    for (const int inside : group.inside) {
      rate = std::max(rate, links[link_index(inside, outside, static_cast<int>(clusters.size()))].one.rate.value);
    }
    return rate;
  };
  std::vector<int> order = group.outside;
  std::ranges::stable_sort(order, std::greater(), fastest);
  return order;
}

// The total that links and the uplinks of groups around explain for so many messages to each cluster outside.
BytesPerSecond explained_outside(const std::vector<LinkRates>& links, const std::vector<SharedLine>& lines,
                                 int clusters, const std::vector<std::pair<int, std::size_t>>& flows,
                                 std::span<const Around> around) {
  std::vector<int> nearer(links.size());
  std::vector<std::pair<int, std::size_t>> farther;
  for (const auto& [cluster, link] : flows) {
    if (around.empty() || std::ranges::binary_search(around.front().group->inside, cluster)) {
      ++nearer[link];
    } else {
      farther.emplace_back(cluster, link);
    }
  }
  const BytesPerSecond rate = explained(links, lines, clusters, nearer);
  if (farther.empty()) return rate;
  return rate + std::min(around.front().uplink, explained_outside(links, lines, clusters, farther, around.subspan(1)));
}

Leaving leaving(const std::vector<std::vector<int>>& clusters, const std::vector<LinkRates>& links,
                const std::vector<SharedLine>& lines, const Uplink& group, const std::vector<BytesPerSecond>& backbones,
                std::span<const Around> around) {
  const auto [senders, receivers] =
      group.by_all ? Ends{dealt(group.inside, clusters), dealt(fastest_first(links, group, clusters), clusters)}
                   : fastest_two(clusters, links, group);
  Leaving result;
  std::vector<std::pair<int, std::size_t>> flows;  // by the cluster of the receiver, and the link
  // A single host sends to all receivers.
  const bool alone = senders.size() == 1;
  for (std::size_t f = 0; f < std::min({alone ? most_flows : senders.size(), receivers.size(), most_flows}); ++f) {
    const auto& [inside, sender] = senders[alone ? 0 : f];
    const auto& [outside, receiver] = receivers[f];
    const std::size_t link = link_index(inside, outside, static_cast<int>(clusters.size()));
    if (links[link].flows == 0) return {};
    result.flows.emplace_back(sender, receiver);
    result.messages.push_back(links[link].one);
    flows.emplace_back(outside, link);
  }
  result.expected = explained_outside(links, lines, static_cast<int>(clusters.size()), flows, around);
  const auto backbone = [&](int cluster) { return backbones[static_cast<std::size_t>(cluster)]; };
  if (group.inside.size() == 1 && backbone(group.inside.front()) > 0) {
    result.expected = std::min(result.expected, backbone(group.inside.front()));
  }
  return result;
}

// The groups around one, in depth-first order before it, which have an uplink.
std::vector<Around> around(const std::vector<Uplink>& groups, const std::vector<Measured>& uplinks, std::size_t group) {
  std::vector<Around> found;
  for (std::size_t g = group; g-- > 0;) {
    const bool holds = std::ranges::includes(groups[g].inside, groups[group].inside);
    if (holds && uplinks[g].value > 0) found.push_back({.group = &groups[g], .uplink = uplinks[g].value});
  }
  return found;
}

}  // namespace

Uplinks measure_uplinks(Team& team, const std::vector<std::vector<int>>& clusters, const std::vector<LinkRates>& links,
                        const std::vector<SharedLine>& lines, const std::vector<Uplink>& groups,
                        const std::vector<BytesPerSecond>& backbones, double bound) {
  Uplinks uplinks{.totals = std::vector<Measured>(groups.size()), .left_out = 0};
  const auto is_left = [](const Uplink& group) { return !group.inside.empty() && !group.outside.empty(); };
  if (std::ranges::none_of(groups, is_left)) return uplinks;
  FairShares shares(team, groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    shares.next();
    if (!is_left(groups[g])) continue;
    if ((uplinks.left_out > 0 || !in_time(team, shares.over())) && !groups[g].in_any_case) {
      ++uplinks.left_out;
      continue;
    }
    if (team.rank == 0) team.progress(fmt::format("{} of {} groups", g + 1, groups.size()));
    Leaving way_out = leaving(clusters, links, lines, groups[g], backbones, around(groups, uplinks.totals, g));
    if (team.quick && !way_out.messages.empty()) {
      // As long as an empty message takes there and back over the longest link.
      last(way_out.messages, std::ranges::max(way_out.messages, {}, &LargeMessage::fixed).fixed,
           team.probe.largest() / 2);
    }
    if (way_out.flows.size() < 2) continue;
    const auto unlimited = static_cast<BytesPerSecond>(static_cast<double>(way_out.expected) / (1 + bound));
    const FlowOptions options{.enough = unlimited, .lasting = long_enough(way_out.messages, 2)};
    const Measured total =
        known_to_all(team, measure_flows(team, way_out.flows, way_out.messages, options), way_out.flows.front().first);
    if (total.value < unlimited) uplinks.totals[g] = total;
  }
  return uplinks;
}

namespace {

// Returns true if all hosts of a cluster sent at full speed concurrently, so that no shared resource limits them. A
// single host is excluded: the limit of its port shows only with several messages at a time.
bool is_unlimited(const Uplink& group, const std::vector<std::vector<int>>& clusters,
                  const std::vector<LinkRates>& links, double bound) {
  if (group.inside.size() != 1) return false;
  const int inside = group.inside.front();
  const auto hosts = static_cast<int>(clusters[static_cast<std::size_t>(inside)].size());
  return std::any_of(group.outside.begin(), group.outside.end(), [&](int outside) {
    const LinkRates& link = links[link_index(inside, outside, static_cast<int>(clusters.size()))];
    return hosts > 1 && link.flows == hosts &&
           static_cast<double>(link.total.value) * (1 + bound) >=
               static_cast<double>(link.one.rate.value) * static_cast<double>(hosts);
  });
}

// Returns true if several messages on a link out of the group have slowed each other down.
bool is_filled(const Uplink& group, const std::vector<LinkRates>& links, int clusters) {
  return std::ranges::any_of(group.inside, [&](int inside) {
    return std::ranges::any_of(group.outside, [&](int outside) {
      const LinkRates& link = links[link_index(inside, outside, clusters)];
      return link.flows > 1 && slowed_each_other(link.one.rate.value, link.flows, link.total.value);
    });
  });
}

}  // namespace

std::vector<Uplink> ways_out(const HostGroup& groups, const std::vector<LinkRates>& links,
                             const std::vector<std::vector<int>>& clusters, bool quick, double bound) {
  const auto has_rank_0 = [](const std::vector<int>& cluster) { return std::ranges::count(cluster, 0) > 0; };
  const auto home = static_cast<int>(std::ranges::find_if(clusters, has_rank_0) - clusters.begin());
  std::vector<Uplink> found;  // the whole platform has no clusters outside and hence no uplink
  for (const GroupSpan& span : spans_of(groups)) {
    Uplink& group = found.emplace_back();
    for (int c = 0; c < std::ssize(clusters); ++c) (span.holds(c) ? group.inside : group.outside).push_back(c);
    group.in_any_case = quick && std::ranges::count(group.inside, home) > 0;
    group.by_all = !quick || is_filled(group, links, static_cast<int>(clusters.size()));
    const bool hurried = !group.by_all && group.inside.size() == 1 && group.inside.front() != home;
    // Between only two clusters, link and uplink are the same.
    if (hurried || clusters.size() == 2 || is_unlimited(group, clusters, links, bound)) group = {};
  }
  return found;
}

void guess_ways_out(const HostGroup& groups, const std::vector<LinkRates>& links,
                    const std::vector<std::vector<int>>& clusters, const std::vector<BytesPerSecond>& ports,
                    double bound, std::vector<Measured>& uplinks) {
  std::vector<BytesPerSecond> rates;
  for (const LinkRates& link : links) rates.push_back(link.flows > 0 ? link.total.value : 0);
  const std::vector<GroupSpan> spans = spans_of(groups);
  for (std::size_t g = 0; g < spans.size(); ++g) {
    if (!spans[g].children.empty() || uplinks[g].value > 0) continue;
    const int cluster = spans[g].first;
    const BytesPerSecond rate = shared_way_out(cluster, rates, static_cast<int>(clusters.size()), bound);
    BytesPerSecond of_hosts = 0;
    for (const int host : clusters[static_cast<std::size_t>(cluster)])
      of_hosts += ports[static_cast<std::size_t>(host)];
    const bool limits = static_cast<double>(rate) * (1 + bound) < static_cast<double>(of_hosts);
    if (limits) uplinks[g] = {.value = rate, .error = rate};
  }
}

}  // namespace tombolo::discovery
