// tuning.hpp's to_json, tuning_from_json and read_tuning.
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/plan_json.hpp>
#include <tombolo/collectives/regular.hpp>
#include <tombolo/collectives/tuning.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/json/text.hpp>
#include <tombolo/platform/platform_check.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format = "tombolo tuning";
constexpr int version = 1;
constexpr auto remedy = "correct it (docs/tuning.md says what it may hold) or make it anew by tombolo tune";
constexpr Bytes most_bytes = Bytes{1} << 56;  // of all ranks together

constexpr std::array<std::string_view, 5> tuning_members = {"format", "version", "ranks", "hosts", "decisions"};
constexpr std::array<std::string_view, 7> decision_members = {"operation",    "root",        "bytes",    "carrier",
                                                              "predicted_ps", "measured_ps", "native_ps"};

// A misspelt parameter would silently be another plan.
std::vector<std::string_view> all_decision_members() {
  std::vector<std::string_view> all(decision_members.begin(), decision_members.end());
  all.insert(all.end(), plan_members.begin(), plan_members.end());
  return all;
}

Json json_of(const Decision& d, int ranks) {
  Json json = {{"operation", name(d.operation)}};
  if (is_rooted(d.operation)) json["root"] = d.root;
  json["bytes"] = d.bytes;
  json["carrier"] = name(d.carrier);
  const Plan plan = d.plan(regular_request(d.operation, ranks, d.root, d.bytes));
  json.update(Json::parse(to_json(plan)));
  json["predicted_ps"] = d.predicted;
  if (d.measured) json["measured_ps"] = *d.measured;
  if (d.native) json["native_ps"] = *d.native;
  return json;
}

std::int64_t within(const JsonNode& node, std::int64_t least, std::int64_t most) {
  const std::int64_t value = node.integer();
  if (value < least || value > most) node.refuse(fmt::format("is {}, not within {} to {}", value, least, most));
  return value;
}

std::optional<Picoseconds> time(const JsonNode& node, const char* member) {
  const auto found = node.find(member);
  if (!found) return std::nullopt;
  return within(*found, 0, never - 1);
}

Carrier read_carrier(const JsonNode& node) {
  const std::string word = node.text();
  if (word == "plan") return Carrier::plan;
  if (word == "native") return Carrier::native;
  node.refuse(fmt::format(R"(is {}, neither "plan" nor "native")", tombolo::quoted(word)));
}

Decision read_decision(const JsonNode& node, int ranks) {
  node.check_members(all_decision_members());
  Decision d;
  const JsonNode operation = node.member("operation");
  const auto known = find_operation(operation.text());
  if (!known) operation.refuse(fmt::format("is {}, which is no operation", tombolo::quoted(operation.text())));
  d.operation = *known;
  if (is_rooted(d.operation)) d.root = static_cast<Rank>(within(node.member("root"), 0, ranks - 1));
  d.bytes = within(node.member("bytes"), 0, most_bytes / ranks);
  d.carrier = read_carrier(node.member("carrier"));
  d.predicted = within(node.member("predicted_ps"), 0, never - 1);
  d.measured = time(node, "measured_ps");
  d.native = time(node, "native_ps");
  const Plan plan = plan_from_json(regular_request(d.operation, ranks, d.root, d.bytes), node);
  d.algorithm = plan.algorithm().name;
  d.parameters = plan.parameters();
  return d;
}

}  // namespace

std::string to_json(const Tuning& tuning) {
  Json json = {{"format", format}, {"version", version}, {"ranks", tuning.ranks_}, {"hosts", tuning.hosts_}};
  json["decisions"] = Json::array();
  for (const Decision& each : tuning.decisions_) json["decisions"].push_back(json_of(each, tuning.ranks_));
  return laid_out_json(json.dump());
}

Tuning tuning_from_json(std::string_view text, const std::string& name) {
  const JsonDocument document = parse_json(text, name, remedy);
  const JsonNode root(document);
  const auto kind = root.find("format");
  if (!kind || kind->text() != format) {
    throw Error(fmt::format(R"({}: it is no tuning file: its "format" is not "{}")", name, format),
                "give the path of a file that tombolo tune has written");
  }
  const JsonNode made_by = root.member("version");
  if (made_by.integer() != version) {
    made_by.refuse(fmt::format("is {}; this tombolo reads version {}", made_by.integer(), version),
                   "use the tombolo that wrote it or a newer one, or make the file anew by tombolo tune");
  }
  root.check_members(tuning_members);
  const auto ranks = static_cast<int>(within(root.member("ranks"), 1, most_processors));
  Tuning tuning(ranks, root.member("hosts").text());
  for (const JsonNode& node : root.member("decisions").list()) {
    try {
      const std::size_t before = tuning.decisions_.size();
      tuning.keep(read_decision(node, ranks));
      if (tuning.decisions_.size() == before) node.refuse("is about the same operation, root and bytes as another one");
    } catch (const Error& error) {
      // What is said of a plan's parameters knows neither file nor place.
      const std::string_view words = error.what();
      if (words.starts_with(name + ": ")) throw;
      const std::size_t end = words.rfind("; ");
      node.refuse("holds no plan: " + printable(words.substr(0, end)), words.substr(end + 2));
    }
  }
  return tuning;
}

Tuning read_tuning(const std::filesystem::path& path) {
  constexpr Bytes largest = Bytes{1} << 29;
  return tuning_from_json(read_text(path, largest, "a tuning file"), printable(path));
}

}  // namespace tombolo
