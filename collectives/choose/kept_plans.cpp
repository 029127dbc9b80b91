#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include <nlohmann/json.hpp>

#include <tombolo/collectives/choose/kept_plans.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/stable_hash.hpp>

namespace tombolo {

namespace {

constexpr std::string_view format = "tombolo plans";
constexpr std::size_t most_plans = 1024;

void add(StableHash& hash, const Blocks& blocks) {
  for (int block = 0; block < blocks.size(); ++block) {
    hash.add_number(blocks.known(block) ? blocks.count(block) : Blocks::unknown);
  }
}

// Empty for a matrix of counts, of which a rank of a real run has one row and column.
std::optional<std::string> key_of(const Request& request) {
  StableHash hash;
  for (const std::int64_t number :
       {std::int64_t{request.ranks}, std::int64_t{request.root}, request.element_bytes, request.count,
        std::int64_t{request.commutative}, std::int64_t{request.knowledge == Knowledge::everywhere}}) {
    hash.add_number(number);
  }
  hash.add_text(name(request.operation));
  if (sizes(request.operation) == Sizes::blocks) add(hash, request.blocks);
  if (sizes(request.operation) == Sizes::exchange) {
    const auto factors = request.exchange.factors();
    if (!factors) return std::nullopt;
    add(hash, factors->first);
    add(hash, factors->second);
  }
  return hash.text();
}

Json json_of(const Plan& plan) {
  return Json::parse(to_json(plan));
}

Json json_of(const KeptPlan& kept) {
  const Request& request = kept.chosen.plan.request();
  Json json = {{"operation", name(request.operation)},
               {"bytes", regular_bytes(request)},
               {"plan", json_of(kept.chosen.plan)},
               {"predicted_ps", kept.chosen.predicted}};
  if (kept.proved) json["proved"] = true;
  if (kept.rival > 0) json["rival_ps"] = kept.rival;
  for (const Experience& each : kept.experiences) {
    json["experiences"].push_back({{"plan", json_of(each.plan)}, {"makespans_ps", each.makespans}});
  }
  return json;
}

KeptPlan kept_from(const JsonNode& node, const Request& request) {
  KeptPlan kept{.chosen = {plan_from_json(request, node.member("plan")), node.member("predicted_ps").natural()}};
  const auto proved = node.find("proved");
  kept.proved = proved && proved->flag();
  kept.rival = node.integer("rival_ps", 0);
  if (const auto experiences = node.find("experiences")) {
    for (const JsonNode& each : experiences->list()) {
      Experience experience{.plan = plan_from_json(request, each.member("plan")), .makespans = {}};
      for (const JsonNode& time : each.member("makespans_ps").list()) experience.makespans.push_back(time.natural());
      kept.experiences.push_back(std::move(experience));
    }
  }
  return kept;
}

Picoseconds lower_end(const Experience& experience) {
  const Measured median = median_of(experience.makespans);
  return median.value - median.error;
}

}  // namespace

const Experience* KeptPlan::experience_of(const Plan& plan) const {
  const auto same = std::ranges::find(experiences, plan, &Experience::plan);
  return same == experiences.end() || same->makespans.size() < fewest_makespans ? nullptr : &*same;
}

void KeptPlan::add(const Plan& plan, std::span<const Picoseconds> makespans) {
  auto same = std::ranges::find(experiences, plan, &Experience::plan);
  if (same == experiences.end()) same = experiences.insert(same, Experience{.plan = plan, .makespans = {}});
  std::vector<Picoseconds>& all = same->makespans;
  all.insert(all.end(), makespans.begin(), makespans.end());
  if (all.size() > most_makespans) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most_makespans));
}

bool KeptPlan::is_belied() const {
  const Experience* const own = experience_of(chosen.plan);
  return own != nullptr && lower_end(*own) > std::max(chosen.predicted, rival);
}

double KeptPlan::common_error(std::span<const Candidate> candidates) const {
  double sum = 0;
  int tried = 0;
  const auto count = [&](const Candidate& each) {
    const Experience* const own = experience_of(each.plan);
    if (own == nullptr || each.predicted == 0) return;
    sum += std::log(static_cast<double>(median_of(own->makespans).value) / static_cast<double>(each.predicted));
    ++tried;
  };
  count(chosen);
  for (const Candidate& each : candidates) {
    if (each.plan != chosen.plan) count(each);
  }
  return std::max(1., std::exp(sum / (tried + 1)));
}

const Candidate* KeptPlan::better_of(std::span<const Candidate> candidates) {
  const double untried = common_error(candidates);
  const Candidate* best = nullptr;
  for (const Candidate& each : candidates) {
    if (each.plan == chosen.plan) continue;
    const Experience* const own = experience_of(each.plan);
    const Picoseconds time = own == nullptr ? std::llround(static_cast<double>(each.predicted) * untried)
                                            : std::max(each.predicted, median_of(own->makespans).value);
    if (best == nullptr || time < rival) {
      best = &each;
      rival = time;
    }
  }
  const Experience* const own = experience_of(chosen.plan);
  return best != nullptr && own != nullptr && lower_end(*own) > rival ? best : nullptr;
}

KeptPlans::KeptPlans(const Platform& platform) : platform_(text_hash(tombolo::to_json(platform))) {}

bool KeptPlans::read(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != format || json.at("sources") != planner_sources() || json.at("platform") != platform_ ||
        json.at("hash") != text_hash(json.at("plans").dump())) {
      return false;
    }
    for (const auto& [key, entry] : json.at("plans").items()) entries_[key] = {.json = entry.dump(), .read = true};
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

bool KeptPlans::was_read(const Request& request) const {
  const auto key = key_of(request);
  const auto entry = key ? entries_.find(*key) : entries_.end();
  return entry != entries_.end() && entry->second.read;
}

std::optional<KeptPlan> KeptPlans::find(const Request& request) {
  const auto key = key_of(request);
  const auto entry = key ? entries_.find(*key) : entries_.end();
  if (entry == entries_.end()) return std::nullopt;
  try {
    const JsonDocument document = parse_json(entry->second.json, "kept plans", "remove the file");
    KeptPlan kept = kept_from(JsonNode(document), request.with_in_place(false));
    entry->second.used = true;
    return kept;
  } catch (const std::exception&) {  // two requests with one hash
    return std::nullopt;
  }
}

void KeptPlans::keep(const KeptPlan& plan) {
  const auto key = key_of(plan.chosen.plan.request());
  if (!key || (entries_.size() == most_plans && !entries_.contains(*key))) return;
  Entry entry{.json = json_of(plan).dump(), .used = true};
  Entry& place = entries_[*key];
  changed_ = changed_ || place.json != entry.json;
  entry.read = place.read;
  place = std::move(entry);
}

std::string KeptPlans::to_json() const {
  Json plans = Json::object();
  std::size_t bytes = 0;
  for (const bool used : {true, false}) {
    for (const auto& [key, entry] : entries_) {
      constexpr std::size_t around = 8;  // quotes, colon, comma
      const std::size_t more = key.size() + entry.json.size() + around;
      if (entry.used != used || bytes + more > most_bytes) continue;
      bytes += more;
      plans[key] = Json::parse(entry.json);
    }
  }
  const std::string hash = text_hash(plans.dump());
  const Json json = {{"format", format},
                     {"sources", planner_sources()},
                     {"platform", platform_},
                     {"hash", hash},
                     {"plans", std::move(plans)}};
  return json.dump() + "\n";
}

}  // namespace tombolo
