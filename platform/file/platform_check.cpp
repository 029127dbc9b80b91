#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

[[noreturn]] void refuse_platform(const std::string& name, const std::string& cause) {
  throw Error(name + ": " + cause, std::string(platform_remedy));
}

// Throws Error for a name with control characters, which could disturb a terminal or break a line of another file.
// `who`: as for check_range.
template <class Who>
void check_name(const std::string& name, Who who, const std::string& text) {
  if (has_control(text)) refuse_platform(name, who() + " has a control character in its name");
}

// Throws Error unless low <= value <= high. `who` returns the owner of the value and is called only for the message.
template <class Who>
void check_range(const std::string& name, Who who, std::string_view figure, std::int64_t value, std::int64_t low,
                 std::int64_t high) {
  if (value < low) refuse_platform(name, fmt::format("the {} of {} is {}, less than {}", figure, who(), value, low));
  if (value > high) refuse_platform(name, fmt::format("the {} of {} is {}, more than {}", figure, who(), value, high));
}

// Checks a measured value, with the lower bound 0, and its error.
template <class Who>
void check_range(const std::string& name, Who who, std::string_view figure, const Measured& measured,
                 std::int64_t high) {
  check_range(name, who, figure, measured.value, 0, high);
  if (measured.error < 0 || measured.error > high) {
    check_range(name, who, fmt::format("error of the {}", figure), measured.error, 0, high);
  }
}

constexpr std::int64_t most_of_a_kind = std::int64_t{1} << 20;  // cores, threads, flows
constexpr std::int64_t largest_problem = 1'000'000'000;

using RanksOfHosts = std::map<std::string, std::vector<Rank>>;

void check_speeds(const std::vector<SpeedPoint>& speeds, Rank rank, const std::string& name) {
  std::int64_t before = 0;
  for (const SpeedPoint& point : speeds) {
    const auto who = [&] { return fmt::format("the processor of rank {} at size {}", rank, point.size); };
    check_range(name, who, "size", point.size, 1, largest_problem);
    check_range(name, who, "speed", point.speed, 1, highest_rate);
    if (point.size <= before) {
      refuse_platform(name, fmt::format("the sizes in the speeds of the processor of rank {} are not ascending: {} "
                                        "after {}",
                                        rank, point.size, before));
    }
    before = point.size;
  }
}

void check_processor(const Processor& processor, Rank rank, const RanksOfHosts& hosts, const std::string& name) {
  const auto who = [&] { return fmt::format("the processor of rank {}", rank); };
  const auto range = [&](std::string_view figure, std::int64_t value, std::int64_t low, std::int64_t high) {
    check_range(name, who, figure, value, low, high);
  };
  check_name(
      name, [&] { return fmt::format("the model {} of a processor", tombolo::quoted(processor.model)); },
      processor.model);
  const auto on_host = std::ssize(hosts.at(processor.host));
  range("number of ranks on the host", processor.ranks_on_host, on_host, on_host);
  range("number of ranks that share the cores", processor.ranks_sharing, 1, on_host);
  range("number of cores", processor.cores, 1, most_of_a_kind);
  range("number of threads", processor.threads, 1, most_of_a_kind);
  range("speed", processor.speed, 0, highest_rate);
  range("send overhead", processor.send_overhead, 0, longest_latency);
  range("receive overhead", processor.receive_overhead, 0, longest_latency);
  for (const int object :
       {processor.place.package, processor.place.numa, processor.place.cache, processor.place.core}) {
    range("place", object, -1, std::numeric_limits<int>::max());
  }
  check_speeds(processor.speeds, rank, name);
}

RanksOfHosts ranks_of_hosts(const Platform& platform, const std::string& name) {
  RanksOfHosts ranks;
  for (const Host& host : platform.hosts) {
    if (host.name.empty()) refuse_platform(name, "a host has no name");
    if (!ranks.emplace(host.name, std::vector<Rank>()).second) {
      refuse_platform(name, fmt::format("host {} is there twice", tombolo::quoted(host.name)));
    }
    const auto who = [&] { return fmt::format("host {}", tombolo::quoted(host.name)); };
    check_name(name, who, host.name);
    check_range(name, who, "latency", host.latency, longest_latency);
    check_range(name, who, "rate", host.rate, highest_rate);
    check_range(name, who, "rate of memory", host.memory, highest_rate);
    check_range(name, who, "time to wake up", host.wake_up, longest_latency);
    check_range(name, who, "time of a message", host.message, longest_latency);
    check_range(name, who, "rate of exchange", host.exchange, highest_rate);
  }
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    const std::string& host = platform.processors[static_cast<std::size_t>(rank)].host;
    const auto found = ranks.find(host);
    if (found == ranks.end()) {
      refuse_platform(name, fmt::format("the processor of rank {} is on host {}, which is not among the hosts", rank,
                                        tombolo::quoted(host)));
    }
    found->second.push_back(rank);
  }
  Rank first = -1;
  for (const Host& host : platform.hosts) {
    const std::vector<Rank>& of_host = ranks.at(host.name);
    if (of_host.empty()) refuse_platform(name, fmt::format("no processor is on host {}", tombolo::quoted(host.name)));
    if (of_host.front() < first) refuse_platform(name, "the hosts are not in the order of their first ranks");
    first = of_host.front();
  }
  return ranks;
}

// Checks that the hosts of the tree are those of the list, with the ranks of their processors.
void check_hosts_of_levels(const Platform& platform, const RanksOfHosts& hosts, const std::string& name) {
  for (const Level* const cluster : clusters(platform.levels)) {
    for (const Level& host : cluster->children) {
      const auto found = hosts.find(host.name);
      if (found == hosts.end()) {
        refuse_platform(
            name, fmt::format("the levels have a host {}, which is not among the hosts", tombolo::quoted(host.name)));
      }
      if (found->second == host.ranks) continue;
      const auto [stated, real] =
          std::mismatch(host.ranks.begin(), host.ranks.end(), found->second.begin(), found->second.end());
      const bool too_many = real == found->second.end() || (stated != host.ranks.end() && *stated < *real);
      refuse_platform(name, too_many ? fmt::format("the levels say that rank {} is on host {}, its processor is not",
                                                   *stated, tombolo::quoted(host.name))
                                     : fmt::format("rank {} is on host {}, but the levels do not say so", *real,
                                                   tombolo::quoted(host.name)));
    }
  }
}

void check_links(const Platform& platform, const std::string& name) {
  const std::vector<const Level*> all = clusters(platform.levels);
  const auto cluster = [&](std::size_t c) { return tombolo::quoted(all[c]->name); };
  auto link = platform.links.begin();
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b, ++link) {
      const auto who = [&] { return fmt::format("the link between {} and {}", cluster(a), cluster(b)); };
      if (link == platform.links.end() || link->a != static_cast<int>(a) || link->b != static_cast<int>(b)) {
        refuse_platform(name, who() + " is missing or not in its place");
      }
      check_range(name, who, "latency", link->latency, longest_latency);
      check_range(name, who, "rate", link->rate, highest_rate);
      check_range(name, who, "total rate", link->total, highest_rate);
      check_range(name, who, "number of flows", link->flows, link->total.value > 0 ? 1 : 0, most_of_a_kind);
    }
  }
  if (link != platform.links.end()) {
    refuse_platform(name, fmt::format("there are {} links, more than pairs of clusters", platform.links.size()));
  }
}

void check_lines(const Platform& platform, const std::string& name) {
  const std::vector<const Level*> all = clusters(platform.levels);
  const auto is_cluster = [&](int number) { return number >= 0 && number < std::ssize(all); };
  for (const SharedLine& line : platform.lines) {
    std::set<std::pair<int, int>> seen;
    for (const auto& [a, b] : line.pairs) {
      if (!is_cluster(a) || !is_cluster(b) || a == b)
        refuse_platform(name, "a line has a pair that is not two clusters");
      if (seen.emplace(std::minmax(a, b)).second) continue;
      refuse_platform(name, described(line, all) + " has the same two clusters twice");
    }
    if (line.pairs.empty()) refuse_platform(name, "a line is between no clusters");
    if (line.rate.value == 0) refuse_platform(name, described(line, all) + " has no rate");
    check_range(
        name, [&] { return described(line, all); }, "rate", line.rate, highest_rate);
  }
}

void check_sections(const Platform& platform, const std::string& name) {
  for (const auto& [section, text] : platform.sections) {
    const std::string where = fmt::format("{}: section {}", name, tombolo::quoted(section));
    if (std::find(platform_members.begin(), platform_members.end(), section) != platform_members.end()) {
      refuse_platform(where, "a platform has a member of this name itself");
    }
    // Parsed as a member: the nesting depth is that of the file, and text with a second value is an error.
    const JsonDocument read =
        parse_json("{\"\":" + text + "}", where, std::string(platform_remedy), std::span<const std::string_view>());
    if (read.root->size() != 1) refuse_platform(where, "it is not one JSON value");
  }
}

using Kind = Level::Kind;

class Walk {
 public:
  explicit Walk(const std::string& name) : name_(name) {}

  void visit(const Level& level, int depth) {
    if (depth > most_levels) refuse(fmt::format("more than {} levels stand inside each other", most_levels));
    check_itself(level);
    for (const Level& child : level.children) check_kinds(level, child);
    if (!level.children.empty()) check_partition(level);
    for (const Level& child : level.children) visit(child, depth + 1);
  }

 private:
  void check_itself(const Level& level) {
    const auto who = [&] { return described(level); };
    if (level.ranks.empty()) refuse(who() + " has no ranks");
    const auto unordered = std::adjacent_find(level.ranks.begin(), level.ranks.end(), std::greater_equal<>());
    if (unordered != level.ranks.end()) {
      refuse(*unordered == unordered[1] ? fmt::format("{} has rank {} twice", who(), *unordered)
                                        : fmt::format("the ranks of {} are not ascending", who()));
    }
    check_name(name_, who, level.name);
    if (level.kind == Kind::cluster || level.kind == Kind::host) {
      if (level.name.empty()) refuse(fmt::format("a {} has no name", name_of(level.kind)));
      // Hosts have their own namespace, since a cluster of one host often has the host's name.
      if (!names_.at(level.kind == Kind::host ? 1 : 0).insert(level.name).second) refuse(who() + " is there twice");
    }
    check_range(name_, who, "latency", level.latency, longest_latency);
    check_range(name_, who, "rate", level.rate, highest_rate);
    check_range(name_, who, "uplink", level.uplink, highest_rate);
    check_range(name_, who, "backbone", level.backbone, highest_rate);
    check_children(level);
  }

  void check_children(const Level& level) {
    if (level.kind == Kind::rank && level.ranks.size() != 1) {
      refuse(fmt::format("{} has {} ranks", described(level), level.ranks.size()));
    }
    const bool leaf = level.kind == Kind::rank || (level.kind == Kind::host && level.ranks.size() == 1);
    if (leaf && !level.children.empty()) refuse(described(level) + " is a single rank and has children");
    if (!leaf && level.children.empty()) refuse(described(level) + " has no children");
    if (!leaf && level.kind != Kind::cluster && level.children.size() == 1) {
      refuse(fmt::format("{} has one child only, {}; it says nothing and is to be left out", described(level),
                         described(level.children.front())));
    }
  }

  void check_kinds(const Level& level, const Level& child) {
    const bool right = level.kind == Kind::group     ? child.kind == Kind::group || child.kind == Kind::cluster
                       : level.kind == Kind::cluster ? child.kind == Kind::host
                                                     : child.kind > level.kind;
    if (!right) refuse(fmt::format("{} cannot stand in {}", described(child), described(level)));
  }

  void check_partition(const Level& level) {
    std::vector<Rank> ranks;
    ranks.reserve(level.ranks.size());
    Rank first = -1;
    for (const Level& child : level.children) {
      if (child.ranks.empty()) refuse(described(child) + " has no ranks");
      if (child.ranks.front() < first) {
        refuse(fmt::format("the children of {} are not in the order of their first ranks", described(level)));
      }
      first = child.ranks.front();
      ranks.insert(ranks.end(), child.ranks.begin(), child.ranks.end());
    }
    if (ranks == level.ranks) return;
    std::sort(ranks.begin(), ranks.end());
    if (ranks == level.ranks) return;
    const auto twice = std::adjacent_find(ranks.begin(), ranks.end());
    if (twice != ranks.end()) refuse(fmt::format("rank {} is twice in the children of {}", *twice, described(level)));
    const auto [own, of_children] = std::mismatch(level.ranks.begin(), level.ranks.end(), ranks.begin(), ranks.end());
    if (of_children == ranks.end() || (own != level.ranks.end() && *own < *of_children)) {
      refuse(fmt::format("rank {} of {} is in none of its children", *own, described(level)));
    }
    refuse(fmt::format("rank {} is in a child of {} and not in that itself", *of_children, described(level)));
  }

  [[noreturn]] void refuse(const std::string& cause) const { refuse_platform(name_, cause); }

  const std::string& name_;
  std::array<std::set<std::string>, 2> names_;  // of clusters, of hosts
};

}  // namespace

void check_levels(const Platform& platform, const std::string& name) {
  const Level& all = platform.levels;
  if (all.kind != Kind::group && all.kind != Kind::cluster) {
    refuse_platform(name, described(all) + " cannot be the outermost level; that is a group or a cluster");
  }
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    if (place < all.ranks.size() && all.ranks[place] == rank) continue;
    refuse_platform(name, fmt::format("{}, the outermost level, does not have the ranks 0 to {} in this order: rank {} "
                                      "is not in its place",
                                      described(all), platform.ranks() - 1, rank));
  }
  if (all.ranks.size() != platform.processors.size()) {
    refuse_platform(name, fmt::format("{}, the outermost level, has rank {}, but there are {} processors",
                                      described(all), all.ranks.back(), platform.ranks()));
  }
  Walk(name).visit(all, 1);
}

void check_platform(const Platform& platform, const std::string& name) {
  if (platform.processors.empty()) refuse_platform(name, "it has no processors");
  if (platform.processors.size() > most_processors) {
    refuse_platform(name,
                    fmt::format("it has {} processors, more than {}", platform.processors.size(), most_processors));
  }
  const RanksOfHosts hosts = ranks_of_hosts(platform, name);
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    check_processor(platform.processors[static_cast<std::size_t>(rank)], rank, hosts, name);
  }
  check_levels(platform, name);
  check_hosts_of_levels(platform, hosts, name);
  check_links(platform, name);
  check_lines(platform, name);
  const auto origin = [] { return std::string("the origin"); };
  if (!std::isfinite(platform.origin.seconds) || platform.origin.seconds < 0) {
    refuse_platform(name, fmt::format("the seconds of the origin are {}, no time", platform.origin.seconds));
  }
  check_range(name, origin, "number of messages", platform.origin.messages, 0,
              std::numeric_limits<std::int64_t>::max());
  check_sections(platform, name);
}

void check_platform_fits(const Platform& platform, std::span<const std::string> hosts_by_rank,
                         const std::string& file) {
  constexpr auto remedy = "run tombolo discover again, or give another file with --platform";
  if (platform.processors.size() != hosts_by_rank.size()) {
    throw Error(fmt::format("{} was made for {} ranks, and this run has {}", file, platform.processors.size(),
                            hosts_by_rank.size()),
                remedy);
  }
  for (std::size_t rank = 0; rank < hosts_by_rank.size(); ++rank) {
    const std::string& expected = platform.processors[rank].host;
    if (expected == hosts_by_rank[rank]) continue;
    throw Error(fmt::format("{} was made for other hosts: rank {} was on {} and is on {} now", file, rank,
                            tombolo::quoted(expected), tombolo::quoted(hosts_by_rank[rank])),
                remedy);
  }
}

}  // namespace tombolo
