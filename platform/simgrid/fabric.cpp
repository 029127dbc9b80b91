#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/system/child_process.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo::simgrid {

namespace {

using nlohmann::json;

constexpr std::size_t most_hosts_with_ranks = 4096;

// The beginning of what SimGrid reads; without it, it reads nothing.
constexpr std::string_view prolog =
    "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";

std::size_t line_at(std::string_view text, std::ptrdiff_t offset) {
  const auto end = std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + end, '\n'));
}

// Refuses what changes in time or depends on positions, which a platform cannot express: SimGrid would read it.
void refuse_unplannable(const pugi::xml_node& element, std::string_view text, const std::string& source) {
  static const std::set<std::string_view> elements = {"trace", "trace_connect", "peer"};
  static const std::set<std::string_view> attributes = {"availability_file", "speed_file",   "state_file",
                                                        "bandwidth_file",    "latency_file", "coordinates"};
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}, line {}, <{}>: {} cannot be planned for", source,
                            line_at(text, element.offset_debug()), printable(element.name()), what),
                "describe the platform without it");
  };
  if (elements.contains(element.name())) refuse("this element");
  for (const pugi::xml_attribute attribute : element.attributes()) {
    const std::string_view name = attribute.name();
    const std::string_view value = attribute.value();
    const bool varies = (name == "sharing_policy" && (value == "WIFI" || value == "NONLINEAR")) ||
                        (name == "routing" && (value == "Vivaldi" || value == "Wifi"));
    if (varies || attributes.contains(name)) refuse(fmt::format("{} {}", printable(name), tombolo::quoted(value)));
  }
  for (const pugi::xml_node child : element.children()) {
    if (child.type() == pugi::node_element) refuse_unplannable(child, text, source);
  }
}

// Returns the description as SimGrid reads it, each element on its line: with the prolog, without settings, which are
// SimGrid's own and of which it may not know all here.
std::string for_simgrid(std::string_view text, const std::string& source) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed) {
    throw Error(fmt::format("{}, line {}: {}", source, line_at(text, parsed.offset), parsed.description()),
                "give a SimGrid platform description, in XML");
  }
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "platform") {
    throw Error(fmt::format("{} is not a platform description: its element is <{}>", source, printable(root.name())),
                "give one of SimGrid, with <platform version=\"4.1\">");
  }
  const std::string_view version = root.attribute("version").value();
  if (version != "4.1" && version != "4") {
    throw Error(fmt::format("{}, line {}, <platform>: version {}", source, line_at(text, root.offset_debug()),
                            tombolo::quoted(version)),
                "bring it to version 4.1 by simgrid_update_xml");
  }
  refuse_unplannable(root, text, source);
  const auto begin = static_cast<std::size_t>(root.offset_debug()) - 1;  // of "<platform"
  std::string made(prolog);
  made.append(line_at(text, static_cast<std::ptrdiff_t>(begin)) - 1, '\n');
  const std::size_t shift = made.size();
  made += text.substr(begin);
  constexpr std::string_view closing = "</config>";
  for (const pugi::xml_node config : root.children("config")) {
    const std::size_t at = static_cast<std::size_t>(config.offset_debug()) - 1 - begin + shift;
    const std::size_t end = made.find(closing, at);  // or an empty element, which sets nothing
    if (end == made.npos || config.first_child().empty()) continue;
    std::replace_if(
        made.begin() + static_cast<std::ptrdiff_t>(at),
        made.begin() + static_cast<std::ptrdiff_t>(end + closing.size()), [](char c) { return c != '\n'; }, ' ');
  }
  return made;
}

// The program that is linked to SimGrid: in the build folder or the installed tree of this program, or by the PATH.
std::string reading_program() {
  std::string name = "tombolo-simgrid-routes";
  if (const char* const named = std::getenv("TOMBOLO_SIMGRID_ROUTES")) return named;  // NOLINT(concurrency-mt-unsafe)
  std::error_code failed;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
  for (const auto& folder : {here, here / "../libexec/tombolo"}) {
    if (std::filesystem::exists(folder / name, failed)) return folder / name;
  }
  return name;
}

// Returns SimGrid's words about a description that it cannot read: from "... [xbt_exception/ERROR] Parse error at
// FILE:12: CAUSE" the words "line 12: CAUSE", from other messages the cause; none if it said nothing.
std::string cause_in(const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    auto at = line.find("ERROR] ");
    if (at == line.npos) at = line.find("CRITICAL] ");
    if (at == line.npos) continue;
    std::string cause = line.substr(line.find(' ', at) + 1);
    constexpr std::string_view uncaught = "Uncaught exception ";
    constexpr std::string_view place = "Parse error at ";
    if (cause.starts_with(uncaught)) cause.erase(0, cause.find(": ") + 2);
    if (cause.starts_with(place)) cause = "line " + cause.substr(cause.find(':') + 1);
    return printable(cause.ends_with('.') ? cause.substr(0, cause.size() - 1) : cause);
  }
  return {};
}

}  // namespace

/// Reads the lines of tombolo-simgrid-routes.
class FabricReader {
 public:
  FabricReader(std::string_view text, std::string source, const std::optional<std::vector<std::string>>& hosts)
      : source_(std::move(source)) {
    const json asked = {
        {"xml", for_simgrid(text, source_)}, {"hosts", hosts ? json(*hosts) : json()}, {"most", most_hosts_with_ranks}};
    Ended ended = run_program({reading_program(), "--log=root.thresh:error"},
                              asked.dump(-1, ' ', false, json::error_handler_t::replace),
                              "build Tombolo where SimGrid is installed (Debian: libsimgrid-dev)");
    if (ended.status != 0) {
      std::string cause = cause_in(ended.err);
      if (cause.empty()) cause = fmt::format("it ended with status {}", ended.status);
      throw Error(fmt::format("{}: SimGrid cannot read it: {}", source_, cause),
                  "mend the description; simgrid.org tells what may be in it");
    }
    said_ = std::move(ended.out);
    read_hosts();
    if (hosts) choose(*hosts);
  }

  Fabric fabric() {
    const std::size_t hosts = fabric_.machines_.size();
    if (hosts > most_hosts_with_ranks) {
      throw Error(fmt::format("{}: {} hosts have ranks, more than {}", source_, hosts, most_hosts_with_ranks),
                  "put ranks on fewer, by a host file");
    }
    for (std::size_t from = 0; from < hosts; ++from) {
      for (std::size_t to = 0; to < hosts; ++to) add_route(from, to);
    }
    const json links = next_line().at("links");
    for (const json& link : links) {
      const std::string name = name_of(link[0], "link");
      const std::int64_t rate = rate_of(link[1], "the bandwidth of link " + name);
      fabric_.wires_.push_back({.name = name, .rate = rate < no_limit ? rate : unlimited, .shared = link[2]});
    }
    return std::move(fabric_);
  }

 private:
  json next_line() {
    const std::size_t end = std::min(said_.find('\n', at_), said_.size());
    const std::size_t begin = std::exchange(at_, end + 1);
    return json::parse(said_.begin() + static_cast<std::ptrdiff_t>(begin),
                       said_.begin() + static_cast<std::ptrdiff_t>(end));
  }

  template <class Value>
  Value next() {
    Value value{};
    if (said_.size() < at_ + sizeof value)
      throw Error(source_ + ": SimGrid's routes end too early", "build Tombolo anew");
    std::memcpy(&value, said_.data() + std::exchange(at_, at_ + sizeof value), sizeof value);
    return value;
  }

  std::string name_of(const json& name, std::string_view what) const {
    constexpr std::size_t longest = 1000;
    const auto text = name.get<std::string>();
    if (!text.empty() && text.size() <= longest &&
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; })) {
      return text;
    }
    throw Error(fmt::format("{}: {} is not the name of a {}", source_, tombolo::quoted(text), what),
                "give it some printable ASCII characters");
  }

  // At least 1, since a rate of 0 would mean unknown. SimGrid prints what is not finite as null.
  std::int64_t rate_of(const json& figure, const std::string& what) const {
    constexpr double largest = 1e18;
    const double value = figure.is_number() ? figure.get<double>() : -1;
    if (value > 0 && value <= largest) return std::max<std::int64_t>(std::llround(value), 1);
    throw Error(fmt::format("{}: {} is {}, which no machine has", source_, what,
                            figure.is_number() ? fmt::format("{:g}", value) : "not finite"),
                "give one above 0 and up to 10^18 a second");
  }

  void read_hosts() {
    const json described = next_line();
    for (const json& zone : described["zones"]) {
      const int parent = zone[1];
      const int depth = parent < 0 ? 0 : fabric_.zone(parent).depth + 1;
      fabric_.zones_.push_back({.name = printable(zone[0].get<std::string>()), .parent = parent, .depth = depth});
    }
    for (const json& host : described["hosts"]) {
      const std::string name = name_of(host[0], "host");
      fabric_.machines_.push_back(
          {.name = name, .zone = host[1], .speed = rate_of(host[2], "the speed of " + name), .cores = host[3]});
    }
    if (fabric_.machines_.empty()) throw Error(source_ + " describes no host", "add a host to it");
  }

  void choose(const std::vector<std::string>& hosts) {
    std::vector<Machine> all = std::exchange(fabric_.machines_, {});
    std::sort(all.begin(), all.end(), [](const Machine& a, const Machine& b) { return a.name < b.name; });
    for (const std::string& name : hosts) {
      const auto found = std::lower_bound(
          all.begin(), all.end(), name, [](const Machine& machine, const std::string& n) { return machine.name < n; });
      if (found == all.end() || found->name != name) {
        throw Error(fmt::format("{} has no host {}", source_, tombolo::quoted(name)),
                    "name hosts of the description for the ranks");
      }
      fabric_.machines_.push_back(*found);
    }
  }

  void add_route(std::size_t from, std::size_t to) {
    const std::string& start = fabric_.machines_[from].name;
    const std::string& end = fabric_.machines_[to].name;
    const auto latency = next<double>();
    const auto links = next<std::int32_t>();
    if (links < 0) {
      throw Error(fmt::format("{}: no route from {} to {}", source_, start, end),
                  "describe one in the zone that holds both");
    }
    if (!(latency >= 0 && latency <= seconds(longest_latency))) {
      throw Error(fmt::format("{}: the latency of the route from {} to {} is negative or more than {:g} s", source_,
                              start, end, seconds(longest_latency)),
                  "check the latencies on it");
    }
    fabric_.latencies_.push_back(std::llround(latency * static_cast<double>(picoseconds_per_second)));
    for (std::int32_t l = 0; l < links; ++l) fabric_.on_routes_.push_back(next<std::int32_t>());
    fabric_.begins_.push_back(static_cast<std::uint32_t>(fabric_.on_routes_.size()));
  }

  std::string source_;
  std::string said_;
  std::size_t at_ = 0;  // of said_ what is read
  Fabric fabric_;
};

Fabric read_fabric(std::string_view text, const std::string& source,
                   const std::optional<std::vector<std::string>>& hosts) {
  return FabricReader(text, source, hosts).fabric();
}

}  // namespace tombolo::simgrid
