#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fnmatch.h>

#include <tombolo/platform/clustering/stated_levels.hpp>
#include <tombolo/platform/json/text.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

// Splits a text: "a,b" at ',' gives a and b; "" gives one empty text.
std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Parses the path of a group. `where`: the beginning of error messages.
std::vector<std::string> parse_path(std::string_view text, const std::string& where) {
  std::vector<std::string> path;
  for (const std::string_view name : split(text, '/')) {
    if (name.empty()) {
      throw Error(fmt::format("{}: a group in '{}' has no name", where, text), "write groups as SITE/CLUSTER");
    }
    if (!is_utf8(name)) {
      throw Error(fmt::format("{}: the name of a group is not UTF-8: {}", where, tombolo::quoted(name)),
                  "write it in UTF-8");
    }
    if (has_control(name)) {
      throw Error(fmt::format("{}: the group {} has a control character in its name", where, tombolo::quoted(name)),
                  "give it a name that can be shown");
    }
    path.emplace_back(name);
  }
  return path;
}

std::optional<Rank> parse_rank(std::string_view text) {
  Rank rank = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (error != std::errc() || end != text.data() + text.size() || rank < 0) return std::nullopt;
  return rank;
}

bool is_ranks(std::string_view text) {
  return text.front() != '-' && text.back() != '-' && text.find_first_not_of("0123456789-") == std::string_view::npos;
}

// Collects the groups, line by line, and the hosts of each group.
class Statements {
 public:
  explicit Statements(std::span<const HostRanks> hosts) : hosts_(hosts), stated_(hosts.size()), lines_(hosts.size()) {
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      for (const Rank rank : hosts[i].ranks) host_of_[rank] = i;
    }
  }

  void add(std::string_view line, int number) {
    number_ = number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) return;
    std::string shown(line);
    std::replace(shown.begin(), shown.end(), '\t', ' ');
    if (has_control(shown)) {
      fail(fmt::format("{} has a control character", tombolo::quoted(line)), "write names that can be shown");
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      fail(fmt::format("no ':' in '{}'", line), "write GROUP: ranks or hosts");
    }
    path_ = parse_path(line.substr(0, colon), fmt::format("line {}", number));
    for (const std::string_view item : split(line.substr(colon + 1), ',')) {
      if (item.empty()) {
        fail(fmt::format("'{}' lists nothing, or has a comma too many", line), "list ranks or hosts, with commas");
      }
      if (is_ranks(item))
        take_ranks(item);
      else
        take_hosts(item);
    }
  }

  StatedLevels stated() && { return std::move(stated_); }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(fmt::format("line {}: {}", number_, what), remedy);
  }

  void take_ranks(std::string_view item) {
    const std::size_t dash = item.find('-');
    const std::optional<Rank> first = parse_rank(item.substr(0, dash));
    const std::optional<Rank> last = dash == std::string_view::npos ? first : parse_rank(item.substr(dash + 1));
    if (!first || !last || *first > *last) {
      fail(fmt::format("'{}' are no ranks", item), "write 7 or 0-19");
    }
    for (Rank rank = *first; rank <= *last; ++rank) {
      const auto found = host_of_.find(rank);
      if (found == host_of_.end()) {
        fail(fmt::format("there is no rank {}", rank), fmt::format("ranks are 0 to {}", host_of_.size() - 1));
      }
      take(found->second, item);
    }
  }

  void take_hosts(std::string_view pattern) {
    bool any = false;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      if (!matches(hosts_[i].name, std::string(pattern))) continue;
      any = true;
      take(i, pattern);
    }
    if (!any) {
      fail(fmt::format("no host is called '{}'", pattern), "give names of hosts, with * and ? for what differs");
    }
  }

  void take(std::size_t host, std::string_view item) {
    if (lines_[host] != 0 && stated_[host] != path_) {
      fail(fmt::format("'{}' takes host {}, which is in group {} already (line {})", item, hosts_[host].name,
                       fmt::join(stated_[host], "/"), lines_[host]),
           "let each host be in one group");
    }
    stated_[host] = path_;
    lines_[host] = number_;
  }

  std::span<const HostRanks> hosts_;
  StatedLevels stated_;
  std::vector<int> lines_;  // by host: the line of its statement; 0: none
  std::map<Rank, std::size_t> host_of_;
  int number_ = 0;
  std::vector<std::string> path_;
};

}  // namespace

std::vector<HostRanks> ranks_of_hosts(std::span<const Processor> processors) {
  std::vector<HostRanks> hosts;
  std::map<std::string, std::size_t> numbers;
  Rank rank = 0;
  for (const Processor& processor : processors) {
    const auto [found, is_new] = numbers.emplace(processor.host, hosts.size());
    if (is_new) hosts.push_back({.name = processor.host, .ranks = {}});
    hosts[found->second].ranks.push_back(rank++);
  }
  return hosts;
}

bool matches(const std::string& name, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

StatedLevels stated_by_processes(std::span<const std::string> texts, std::span<const HostRanks> hosts) {
  StatedLevels stated(hosts.size());
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    Rank first = -1;
    for (const Rank rank : hosts[i].ranks) {
      const std::string_view text = trimmed(texts[static_cast<std::size_t>(rank)]);
      if (text.empty()) continue;
      std::vector<std::string> path = parse_path(text, fmt::format("rank {}", rank));
      if (first >= 0 && path != stated[i]) {
        throw Error(fmt::format("ranks {} and {} of host {} state groups {} and {}", first, rank, hosts[i].name,
                                fmt::join(stated[i], "/"), fmt::join(path, "/")),
                    "state one group for each host");
      }
      if (first < 0) first = rank;
      stated[i] = std::move(path);
    }
  }
  return stated;
}

StatedLevels stated_by_groups(std::string_view text, std::span<const HostRanks> hosts) {
  Statements statements(hosts);
  int number = 0;
  for (const std::string_view line : split(text, '\n')) statements.add(line, ++number);
  return std::move(statements).stated();
}

}  // namespace tombolo
