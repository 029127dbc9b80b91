// The format: docs/platform-file.md.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/json/text.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::string_view platform_format = "tombolo platform";
constexpr int platform_version = 1;

// The members of each object, in the order of the file, for both directions. A visitor reads or writes one that is
// required, one that is always written, one that is not written if it has the usual value, and a measured figure with
// its error: "latency" + "_ps", "latency_error" + "_ps".

template <class Visitor, class Processor>
void processor_members(const Visitor& with, Processor& processor) {
  const tombolo::Processor usual;
  with.required("host", processor.host);
  with.always("speed_flops", processor.speed);
  with.optional("model", processor.model, usual.model);
  with.always("cores", processor.cores);
  with.optional("ranks_sharing", processor.ranks_sharing, usual.ranks_sharing);
  with.optional("threads", processor.threads, usual.threads);
  with.optional("package", processor.place.package, usual.place.package);
  with.optional("numa", processor.place.numa, usual.place.numa);
  with.optional("cache", processor.place.cache, usual.place.cache);
  with.optional("core", processor.place.core, usual.place.core);
  with.optional("send_overhead_ps", processor.send_overhead, usual.send_overhead);
  with.optional("receive_overhead_ps", processor.receive_overhead, usual.receive_overhead);
  with.optional("speeds_flops", processor.speeds, usual.speeds);
}

template <class Visitor, class Host>
void host_members(const Visitor& with, Host& host) {
  with.required("name", host.name);
  with.time("latency", host.latency);
  with.rate("rate", host.rate);
  with.rate("memory", host.memory);
  with.time("wake_up", host.wake_up);
  with.time("message", host.message);
  with.rate("exchange", host.exchange);
}

template <class Visitor, class Level>
void level_figures(const Visitor& with, Level& level) {
  with.time("latency", level.latency);
  with.rate("rate", level.rate);
  with.rate("uplink", level.uplink);
  with.rate("backbone", level.backbone);
}

template <class Visitor, class Link>
void link_figures(const Visitor& with, Link& link) {
  with.time("latency", link.latency);
  with.rate("rate", link.rate);
  with.rate("total", link.total);
  with.optional("flows", link.flows, 0);
}

template <class Visitor, class Origin>
void origin_members(const Visitor& with, Origin& origin) {
  const tombolo::Origin usual;
  with.always("source", origin.source);
  with.optional("mpi", origin.mpi, usual.mpi);
  with.optional("simulated", origin.simulated, usual.simulated);
  with.optional("seconds", origin.seconds, usual.seconds);
  with.optional("messages", origin.messages, usual.messages);
  with.optional("not_measured", origin.not_measured, usual.not_measured);
}

struct Reader {
  const JsonNode& node;

  template <class Value>
  void required(const char* name, Value& value) const {
    read(node.member(name), value);
  }
  template <class Value>
  void always(const std::string& name, Value& value) const {
    if (const auto found = node.find(name)) read(*found, value);
  }
  template <class Value>
  void optional(const char* name, Value& value, const Value&) const {
    always(name, value);
  }
  void time(const std::string& name, Measured& figure) const { measured(name, "_ps", figure); }
  void rate(const std::string& name, Measured& figure) const { measured(name, "_bytes_per_s", figure); }

 private:
  void measured(const std::string& name, const char* unit, Measured& figure) const {
    always(name + unit, figure.value);
    always(name + "_error" + unit, figure.error);
  }
  static void read(const JsonNode& from, bool& value) { value = from.flag(); }
  static void read(const JsonNode& from, int& value) { value = from.small_integer(); }
  static void read(const JsonNode& from, std::int64_t& value) { value = from.integer(); }
  static void read(const JsonNode& from, double& value) { value = from.number(); }
  static void read(const JsonNode& from, std::string& value) { value = from.text(); }
  static void read(const JsonNode& from, SpeedPoint& value) {
    const std::vector<JsonNode> pair = from.list();
    if (pair.size() != 2) from.refuse("is not a pair of a size and a speed");
    value = {pair[0].integer(), pair[1].integer()};
  }
  template <class Value>
  static void read(const JsonNode& from, std::vector<Value>& values) {
    for (const JsonNode& item : from.list()) read(item, values.emplace_back());
  }
};

struct Writer {
  Json& json;

  template <class Value>
  void required(const char* name, const Value& value) const {
    json[name] = value;
  }
  template <class Value>
  void always(const char* name, const Value& value) const {
    json[name] = value;
  }
  template <class Value>
  void optional(const char* name, const Value& value, const Value& usual) const {
    if (value != usual) json[name] = value;
  }
  void optional(const char* name, const std::vector<SpeedPoint>& speeds, const std::vector<SpeedPoint>&) const {
    for (const SpeedPoint& point : speeds) json[name].push_back({point.size, point.speed});
  }
  void time(const std::string& name, const Measured& figure) const { measured(name, "_ps", figure); }
  void rate(const std::string& name, const Measured& figure) const { measured(name, "_bytes_per_s", figure); }

 private:
  void measured(const std::string& name, const char* unit, const Measured& figure) const {
    if (figure.value != 0) json[name + unit] = figure.value;
    if (figure.error != 0) json[name + "_error" + unit] = figure.error;
  }
};

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
    processor_members(Reader{item}, processors[place]);
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
  for (const JsonNode& item : node.list()) host_members(Reader{item}, hosts.emplace_back());
  std::ranges::stable_sort(hosts, {}, first_rank);
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
  level_figures(Reader{node}, level);
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

Json json_of(const Level& level) {
  Json json = {{"name", level.name}, {"kind", name_of(level.kind)}};
  level_figures(Writer{json}, level);
  json["ranks"] = level.ranks;
  json["children"] = Json::array();
  for (const Level& child : level.children) json["children"].push_back(json_of(child));
  return json;
}

using Numbers = std::map<std::string_view, int>;  // of clusters, by name

std::pair<int, int> read_pair(const JsonNode& node, const Numbers& numbers) {
  std::vector<int> ends;
  for (const JsonNode& end : node.list()) {
    const std::string name = end.text();
    const auto found = numbers.find(name);
    if (found == numbers.end()) {
      end.refuse(fmt::format("is {}, which is no cluster of the levels", tombolo::quoted(name)));
    }
    ends.push_back(found->second);
  }
  if (ends.size() != 2 || ends[0] == ends[1]) node.refuse("does not name two clusters");
  return {ends[0], ends[1]};
}

std::vector<Link> read_links(const JsonNode& node, const Numbers& numbers) {
  std::vector<Link> links;
  std::set<std::pair<int, int>> seen;
  for (const JsonNode& item : node.list()) {
    const JsonNode between = item.member("between");
    const auto [one, other] = read_pair(between, numbers);
    const auto [a, b] = std::minmax(one, other);
    if (!seen.emplace(a, b).second) between.refuse("names the same two clusters as another link");
    item.member("latency_ps").integer();  // the only required figure of a link
    link_figures(Reader{item}, links.emplace_back(Link{.a = a, .b = b}));
  }
  std::sort(links.begin(), links.end(),
            [](const Link& x, const Link& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return links;
}

std::vector<SharedLine> read_lines(const JsonNode& node, const Numbers& numbers) {
  std::vector<SharedLine> lines;
  for (const JsonNode& item : node.list()) {
    SharedLine& line = lines.emplace_back();
    for (const JsonNode& pair : item.member("between").list()) line.pairs.push_back(read_pair(pair, numbers));
    Reader{item}.rate("rate", line.rate);
  }
  return lines;
}

void check_header(const JsonDocument& document) {
  constexpr auto remedy = "give the path of a file that tombolo discover has written";
  const nlohmann::json& root = *document.root;
  if (!root.is_object() || !root.contains("format") || root["format"] != nlohmann::json(platform_format)) {
    throw Error(fmt::format(R"({}: it is no platform file: its "format" is not "{}")", document.name, platform_format),
                remedy);
  }
  const JsonNode version = JsonNode(document).member("version");
  if (version.integer() == platform_version) return;
  version.refuse(fmt::format("is {}; this tombolo reads version {}", version.integer(), platform_version),
                 "use the tombolo that wrote it or a newer one, or make the file anew by tombolo discover");
}

std::string text_of(const Json& json) {
  try {
    return json.dump();
  } catch (const Json::type_error&) {
    // The only exception of dump: a text is not UTF-8. Finds the text for the message.
    if (json.is_string()) {
      throw Error("the platform: a text is not UTF-8: " + tombolo::quoted(json.get_ref<const std::string&>()),
                  std::string(platform_remedy));
    }
    for (const auto& part : json.items()) text_of(part.value());
    throw;
  }
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
  Numbers numbers;
  for (const Level* const cluster : clusters(platform.levels)) {
    numbers.emplace(cluster->name, static_cast<int>(numbers.size()));
  }
  if (const auto links = root.find("links")) platform.links = read_links(*links, numbers);
  if (const auto lines = root.find("lines")) platform.lines = read_lines(*lines, numbers);
  if (const auto origin = root.find("origin")) origin_members(Reader{*origin}, platform.origin);
  platform.sections = members_of_json(text);
  for (const std::string_view own : platform_members) platform.sections.erase(std::string(own));
  check_platform(platform, name);
  return platform;
}

std::string to_json(const Platform& platform) {
  check_platform(platform);
  const std::vector<const Level*> all = clusters(platform.levels);
  std::string text = fmt::format(R"({{"format":"{}","version":{})", platform_format, platform_version);
  const auto add = [&](const std::string& name, const std::string& value) {
    text.append(",").append(text_of(Json(name))).append(":").append(value);
  };
  // Formats the items one by one, so that only one of them exists as a tree at a time.
  const auto add_list = [&](const std::string& name, const auto& items, auto fill) {
    std::string list = "[";
    for (const auto& item : items) {
      Json json;
      fill(json, item);
      if (list.size() > 1) list += ',';
      list += text_of(json);
    }
    add(name, list + "]");
  };
  Json origin;
  origin_members(Writer{origin}, platform.origin);
  add("origin", text_of(origin));
  Rank rank = 0;
  add_list("processors", platform.processors, [&](Json& json, const Processor& processor) {
    json["rank"] = rank++;
    processor_members(Writer{json}, processor);
  });
  add_list("hosts", platform.hosts, [](Json& json, const Host& host) { host_members(Writer{json}, host); });
  add("levels", text_of(json_of(platform.levels)));
  add_list("links", platform.links, [&](Json& json, const Link& link) {
    for (const int end : {link.a, link.b}) json["between"].push_back(all[static_cast<std::size_t>(end)]->name);
    json["latency_ps"] = link.latency.value;  // even 0
    link_figures(Writer{json}, link);
  });
  if (!platform.lines.empty()) {
    add_list("lines", platform.lines, [&](Json& json, const SharedLine& line) {
      for (const auto& [from, to] : line.pairs) {
        json["between"].push_back({all[static_cast<std::size_t>(from)]->name, all[static_cast<std::size_t>(to)]->name});
      }
      Writer{json}.rate("rate", line.rate);
    });
  }
  for (const auto& [name, section] : platform.sections) add(name, section);
  return laid_out_json(text + "}");
}

Platform read_platform(const std::filesystem::path& path) {
  return platform_from_json(read_text(path, largest_platform, "a platform file"), printable(path));
}

void write_platform(const std::filesystem::path& path, const Platform& platform) {
  write_text(path, to_json(platform));
}

}  // namespace tombolo
