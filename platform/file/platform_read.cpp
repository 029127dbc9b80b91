// Implements platform_from_json of platform_file.hpp.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/description/level_names.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/file/check_levels.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/file/platform_format.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/json/text.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

Measured read_measured(const JsonNode& node, const std::string& figure, const std::string& unit) {
  return {node.integer(figure + unit, 0), node.integer(figure + "_error" + unit, 0)};
}

Processor read_processor(const JsonNode& node) {
  Processor processor;
  processor.host = node.member("host").text();
  processor.model = node.text("model", {});
  processor.cores = node.small_integer("cores", processor.cores);
  processor.ranks_sharing = node.small_integer("ranks_sharing", processor.ranks_sharing);
  processor.threads = node.small_integer("threads", processor.threads);
  processor.speed = node.integer("speed_flops", 0);
  processor.place.package = node.small_integer("package", -1);
  processor.place.numa = node.small_integer("numa", -1);
  processor.place.cache = node.small_integer("cache", -1);
  processor.place.core = node.small_integer("core", -1);
  processor.send_overhead = node.integer("send_overhead_ps", 0);
  processor.receive_overhead = node.integer("receive_overhead_ps", 0);
  if (const auto speeds = node.find("speeds_flops")) {
    for (const JsonNode& point : speeds->list()) {
      const std::vector<JsonNode> pair = point.list();
      if (pair.size() != 2) point.refuse("is not a pair of a size and a speed");
      processor.speeds.push_back({pair[0].integer(), pair[1].integer()});
    }
  }
  return processor;
}

std::vector<Processor> read_processors(const JsonNode& node) {
  const std::vector<JsonNode> list = node.list();
  if (list.size() > most_processors) {
    node.refuse(fmt::format("has {} processors, more than {}", list.size(), most_processors));
  }
  if (list.empty()) node.refuse("holds no processors");
  std::vector<Processor> processors(list.size());
  std::vector<bool> known(list.size(), false);
  std::map<std::string, int> on_host;
  for (const JsonNode& item : list) {
    const JsonNode rank = item.member("rank");
    const std::int64_t number = rank.integer();
    if (number < 0 || number >= std::ssize(list)) {
      rank.refuse(
          fmt::format("is {}, but of {} processors the ranks are 0 to {}", number, list.size(), list.size() - 1));
    }
    const auto place = static_cast<std::size_t>(number);
    if (known[place]) rank.refuse(fmt::format("is {} as in another processor", number));
    known[place] = true;
    processors[place] = read_processor(item);
    ++on_host[processors[place].host];
  }
  for (Processor& processor : processors) processor.ranks_on_host = on_host[processor.host];
  return processors;
}

std::vector<Host> read_hosts(const JsonNode& node, const std::vector<Processor>& processors) {
  std::map<std::string, std::size_t> first_ranks;
  for (std::size_t rank = 0; rank < processors.size(); ++rank) first_ranks.emplace(processors[rank].host, rank);
  const auto first_rank = [&](const Host& host) {
    const auto found = first_ranks.find(host.name);
    return found == first_ranks.end() ? processors.size() : found->second;
  };
  std::vector<Host> hosts;
  for (const JsonNode& item : node.list()) {
    hosts.push_back({item.member("name").text(), read_measured(item, "latency", unit_of_times),
                     read_measured(item, "rate", unit_of_rates), read_measured(item, "memory", unit_of_rates)});
  }
  std::stable_sort(hosts.begin(), hosts.end(),
                   [&](const Host& a, const Host& b) { return first_rank(a) < first_rank(b); });
  return hosts;
}

Level::Kind read_kind(const JsonNode& node) {
  const std::string name = node.text();
  const auto found = std::find(level_kind_names.begin(), level_kind_names.end(), name);
  if (found == level_kind_names.end()) {
    node.refuse(fmt::format("is {}, not {}", tombolo::quoted(name), fmt::join(level_kind_names, ", ")));
  }
  return static_cast<Level::Kind>(found - level_kind_names.begin());
}

// Recursive; parse_json limits the depth.
Level read_level(const JsonNode& node) {
  Level level;
  level.name = node.member("name").text();
  level.kind = read_kind(node.member("kind"));
  level.latency = read_measured(node, "latency", unit_of_times);
  level.rate = read_measured(node, "rate", unit_of_rates);
  level.uplink = read_measured(node, "uplink", unit_of_rates);
  for (const JsonNode& rank : node.member("ranks").list()) level.ranks.push_back(rank.small_integer());
  std::sort(level.ranks.begin(), level.ranks.end());
  if (const auto children = node.find("children")) {
    for (const JsonNode& child : children->list()) level.children.push_back(read_level(child));
  }
  std::stable_sort(level.children.begin(), level.children.end(), [](const Level& a, const Level& b) {
    return !b.ranks.empty() && (a.ranks.empty() || a.ranks.front() < b.ranks.front());
  });
  // A host of several ranks without children: the levels that its ranks share are unknown.
  if (level.kind == Level::Kind::host && level.ranks.size() > 1 && level.children.empty()) {
    for (const Rank rank : level.ranks) {
      level.children.push_back({Level::Kind::rank, fmt::format("rank {}", rank), {rank}, {}});
    }
  }
  return level;
}

std::vector<Link> read_links(const JsonNode& node, const std::vector<const Level*>& all) {
  std::map<std::string_view, int> numbers;
  for (const Level* const cluster : all) numbers.emplace(cluster->name, static_cast<int>(numbers.size()));
  std::vector<Link> links;
  std::set<std::pair<int, int>> seen;
  for (const JsonNode& item : node.list()) {
    const JsonNode between = item.member("between");
    std::vector<int> ends;
    for (const JsonNode& end : between.list()) {
      const std::string name = end.text();
      const auto found = numbers.find(name);
      if (found == numbers.end()) {
        end.refuse(fmt::format("is {}, which is no cluster of the levels", tombolo::quoted(name)));
      }
      ends.push_back(found->second);
    }
    if (ends.size() != 2 || ends[0] == ends[1]) between.refuse("does not name two clusters");
    const auto [a, b] = std::minmax(ends[0], ends[1]);
    if (!seen.emplace(a, b).second) between.refuse("names the same two clusters as another link");
    item.member("latency_ps").integer();  // the only required figure of a link
    links.push_back({a, b, read_measured(item, "latency", unit_of_times), read_measured(item, "rate", unit_of_rates),
                     read_measured(item, "total", unit_of_rates), item.small_integer("flows", 0)});
  }
  std::sort(links.begin(), links.end(),
            [](const Link& x, const Link& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return links;
}

Origin read_origin(const JsonNode& node) {
  Origin origin;
  origin.source = node.text("source", {});
  origin.mpi = node.text("mpi", {});
  if (const auto simulated = node.find("simulated")) origin.simulated = simulated->flag();
  if (const auto seconds = node.find("seconds")) origin.seconds = seconds->number();
  origin.messages = node.integer("messages", 0);
  if (const auto texts = node.find("not_measured")) {
    for (const JsonNode& text : texts->list()) origin.not_measured.push_back(text.text());
  }
  return origin;
}

void check_header(const JsonDocument& document) {
  constexpr auto remedy = "give the path of a file that tombolo discover has written";
  const JsonValue* const format = document.root.find("format");
  const auto* const name = format == nullptr ? nullptr : std::get_if<std::string>(&format->value);
  if (name == nullptr || *name != platform_format) {
    throw Error(fmt::format(R"({}: it is no platform file: its "format" is not "{}")", document.name, platform_format),
                remedy);
  }
  const JsonNode version = JsonNode(document).member("version");
  if (version.integer() == platform_version) return;
  version.refuse(fmt::format("is {}; this tombolo reads version {}", version.integer(), platform_version),
                 "use the tombolo that wrote it or a newer one, or make the file anew by tombolo discover");
}

}  // namespace

Platform platform_from_json(std::string_view text, const std::string& name) {
  const JsonDocument document = parse_json(text, name, std::string(platform_remedy), platform_members);
  check_header(document);
  const JsonNode root(document);
  Platform platform;
  platform.processors = read_processors(root.member("processors"));
  platform.hosts = read_hosts(root.member("hosts"), platform.processors);
  platform.levels = read_level(root.member("levels"));
  check_levels(platform, name);  // the links refer to the names of the levels
  if (const auto links = root.find("links")) platform.links = read_links(*links, clusters(platform.levels));
  if (const auto origin = root.find("origin")) platform.origin = read_origin(*origin);
  platform.sections = members_of_json(text);
  for (const std::string_view own : platform_members) platform.sections.erase(std::string(own));
  check_platform(platform, name);
  return platform;
}

}  // namespace tombolo
