#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/choose/tuning.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/json/text.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

auto subject(const Decision& d) {
  return std::tie(d.operation, d.root, d.bytes);
}

bool before(const Decision& a, const Decision& b) {
  return subject(a) < subject(b);
}

bool within_reach(Bytes tuned, Bytes wanted) {
  const auto [less, more] = std::minmax(tuned, wanted);
  return Wide{more} <= Wide{less} * Tuning::reach;  // only 0 is within reach of 0
}

// Returns true if a is nearer to `wanted` than b, by ratio.
bool nearer(Bytes a, Bytes b, Bytes wanted) {
  const auto [less_a, more_a] = std::minmax(a, wanted);
  const auto [less_b, more_b] = std::minmax(b, wanted);
  return Wide{more_a} * less_b < Wide{more_b} * less_a;
}

bool takes(const Request& request, const std::string& algorithm) {
  const std::vector<const Algorithm*> all = algorithms_for(request);
  return std::ranges::any_of(all, [&](const Algorithm* each) { return each->name == algorithm; });
}

constexpr std::string_view format = "tombolo tuning";
constexpr int version = 1;
constexpr auto remedy = "correct it (docs/tuning.md says what it may hold) or make it anew by tombolo tune";
constexpr Bytes most_bytes = Bytes{1} << 56;  // of all ranks together

constexpr std::array<std::string_view, 5> tuning_members = {"format", "version", "ranks", "hosts", "decisions"};
constexpr std::array<std::string_view, 7> decision_members = {"operation",    "root",        "bytes",    "carrier",
                                                              "predicted_ps", "measured_ps", "native_ps"};

// All members are checked, as a misspelt parameter would silently give another plan.
std::vector<std::string_view> all_decision_members() {
  std::vector<std::string_view> all = plan_members();
  all.insert(all.end(), decision_members.begin(), decision_members.end());
  return all;
}

Json json_of(const Decision& d, int ranks) {
  Json json = {{"operation", name(d.operation)}};
  if (is_rooted(d.operation)) json["root"] = d.root;
  json["bytes"] = d.bytes;
  json["carrier"] = name(d.backend);
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

Backend read_carrier(const JsonNode& node) {
  const std::string word = node.text();
  if (word == "plan") return Backend::plan;
  if (word == "native") return Backend::native;
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
  d.backend = read_carrier(node.member("carrier"));
  d.predicted = within(node.member("predicted_ps"), 0, never - 1);
  d.measured = time(node, "measured_ps");
  d.native = time(node, "native_ps");
  const Plan plan = plan_from_json(regular_request(d.operation, ranks, d.root, d.bytes), node);
  d.algorithm = plan.algorithm().name;
  d.parameters = plan.parameters();
  return d;
}

// Index in algorithms.def.
std::size_t number(const Candidate& candidate) {
  const auto all = all_algorithms();
  return static_cast<std::size_t>(std::ranges::find(all, &candidate.plan.algorithm()) - all.begin());
}

// Returns the first setting within the tolerance of the best: the one with the longest segments.
const Candidate& best_setting(const std::vector<Candidate>& settings) {
  const Picoseconds best = std::ranges::min_element(settings, {}, &Candidate::predicted)->predicted;
  return *std::ranges::find_if(settings, [best](const Candidate& c) { return c.predicted <= alike_to(best); });
}

std::size_t best_by_prediction(const std::vector<Candidate>& contenders) {
  const Picoseconds best = std::ranges::min_element(contenders, {}, &Candidate::predicted)->predicted;
  std::size_t chosen = contenders.size();
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (contenders[i].predicted > alike_to(best)) continue;
    if (chosen == contenders.size() || number(contenders[i]) < number(contenders[chosen])) chosen = i;
  }
  return chosen;
}

// Returns the best predicted plan among those within the tolerance of the best time; nothing if no plan is.
std::optional<std::size_t> best_by_measurement(const std::vector<Candidate>& contenders,
                                               const std::vector<Picoseconds>& measured, Picoseconds best) {
  constexpr Picoseconds alike = 50;  // times that differ by less than one part in so many
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (measured[i] - best > best / alike) continue;
    if (!chosen || contenders[i].predicted < contenders[*chosen].predicted) chosen = i;
  }
  return chosen;
}

Decision about(const Candidate& candidate) {
  const Plan& plan = candidate.plan;
  return {.operation = plan.request().operation,
          .root = plan.request().root,
          .bytes = regular_bytes(plan.request()),
          .algorithm = std::string(plan.algorithm().name),
          .parameters = plan.parameters(),
          .predicted = candidate.predicted};
}

}  // namespace

Plan Decision::plan(const Request& request) const {
  return {request, find_algorithm(request.operation, algorithm), parameters};
}

Tuning::Tuning(std::span<const std::string> hosts_by_rank)
    : Tuning(static_cast<int>(hosts_by_rank.size()), hosts_hash(hosts_by_rank)) {}

bool Tuning::keep(Decision decision) {
  decision.plan(regular_request(decision.operation, ranks_, decision.root,
                                decision.bytes));  // throws for a plan that does not fit
  const auto at = std::lower_bound(decisions_.begin(), decisions_.end(), decision, before);
  if (at == decisions_.end() || before(decision, *at)) {
    decisions_.insert(at, std::move(decision));
    return true;
  }
  if (at->measured && !decision.measured) return false;
  *at = std::move(decision);
  return true;
}

const Decision* Tuning::find(const Request& request) const {
  if (request.ranks != ranks_ || !is_regular(request)) return nullptr;
  const Bytes wanted = regular_bytes(request);
  const Decision* found = nullptr;
  for (const Decision& each : decisions_) {
    if (each.operation != request.operation || each.root != request.root || !within_reach(each.bytes, wanted)) continue;
    if (found != nullptr && !nearer(each.bytes, found->bytes, wanted)) continue;
    if (takes(request, each.algorithm)) found = &each;
  }
  return found;
}

void Tuning::check_fits(std::span<const std::string> hosts_by_rank, const std::string& name,
                        const std::string& remedy) const {
  if (ranks_ != static_cast<int>(hosts_by_rank.size())) {
    throw Error(fmt::format("{} was tuned for {} ranks, and here are {}", name, ranks_, hosts_by_rank.size()), remedy);
  }
  const std::string here = hosts_hash(hosts_by_rank);
  if (hosts_ == here) return;
  throw Error(fmt::format("{} was tuned for other hosts or another order of ranks: \"hosts\" is {}, and here it is {}",
                          name, hosts_, here),
              remedy);
}

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
      // Errors about a plan's parameters name neither file nor position.
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

std::vector<Candidate> contenders(const Request& request, const Planner& planner, int most) {
  std::vector<const Algorithm*> algorithms;
  const auto add = [&algorithms](const Algorithm& algorithm) {
    if (std::ranges::find(algorithms, &algorithm) == algorithms.end()) algorithms.push_back(&algorithm);
  };
  const std::vector<Candidate> promising = planner.candidates(request);
  for (const Candidate& candidate : promising) {
    if (static_cast<int>(algorithms.size()) < most) add(candidate.plan.algorithm());
  }
  add(*algorithms_for(request).front());
  std::vector<Candidate> all;
  for (const Algorithm* algorithm : algorithms) {
    std::vector<Candidate> settings = planner.candidates_of(*algorithm, request);
    for (const Candidate& candidate : promising) {
      if (&candidate.plan.algorithm() == algorithm) settings.push_back(candidate);
    }
    if (!settings.empty()) all.push_back(best_setting(settings));
  }
  std::ranges::stable_sort(all, {}, &Candidate::predicted);
  return all;
}

Decision decide(const std::vector<Candidate>& contenders, const std::vector<Picoseconds>& measured,
                std::optional<Picoseconds> native) {
  if (measured.empty()) return about(contenders[best_by_prediction(contenders)]);
  const Picoseconds fastest = *std::ranges::min_element(measured);
  auto best = best_by_measurement(contenders, measured, std::min(fastest, native.value_or(fastest)));
  const Backend backend = best ? Backend::plan : Backend::native;
  if (!best) best = best_by_measurement(contenders, measured, fastest);
  Decision decision = about(contenders[*best]);
  decision.backend = backend;
  decision.measured = measured[*best];
  decision.native = native;
  return decision;
}

}  // namespace tombolo
