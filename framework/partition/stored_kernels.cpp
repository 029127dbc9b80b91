#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

/// Reads a kernel's entry, with messages that name the position.
class Entry {
 public:
  Entry(std::string name, const Json& json, int ranks) : name_(std::move(name)), json_(&json), ranks_(ranks) {
    if (!json.is_object()) refuse("is no object");
  }

  KernelSpeeds speeds() const {
    KernelSpeeds found;
    if (!json_->contains("unit")) refuse("has no text \"unit\"");
    found.unit = text("unit");
    found.date = text("measured");
    KernelConditions& conditions = found.conditions;
    conditions.version = text("version");
    if (json_->contains("sizes")) {
      for (const Json& size : list("sizes")) conditions.sizes.push_back(whole(size, "sizes"));
    }
    for (const Json& threads : by_rank("threads")) {
      const std::int64_t number = whole(threads, "threads");
      if (number < 1 || number > std::numeric_limits<int>::max()) refuse(fmt::format("has {} threads", number));
      conditions.threads.push_back(static_cast<int>(number));
    }
    if (json_->contains("quota_millicores")) {
      for (const Json& quota : by_rank("quota_millicores")) {
        conditions.millicores.push_back(whole(quota, "quota_millicores"));
        if (conditions.millicores.back() < 0) refuse(fmt::format("has a quota of {}", quota.dump()));
      }
    }
    for (const Json& points : by_rank("speeds")) found.by_rank.push_back(function(points, found.by_rank.size()));
    return found;
  }

 private:
  [[noreturn]] void refuse(const std::string& cause) const {
    throw Error(fmt::format("the platform's section \"{}\": {} {}", kernels_section, tombolo::quoted(name_), cause),
                "measure the kernels anew with tombolo discover --kernels");
  }

  /// Returns a text member, empty if missing.
  std::string text(const char* member) const {
    const auto found = json_->find(member);
    if (found == json_->end()) return "";
    if (!found->is_string()) refuse(fmt::format("has no text \"{}\"", member));
    return found->get<std::string>();
  }

  const Json& list(const char* member) const {
    const auto found = json_->find(member);
    if (found == json_->end() || !found->is_array()) refuse(fmt::format("has no list \"{}\"", member));
    return *found;
  }

  const Json& by_rank(const char* member) const {
    const Json& found = list(member);
    if (found.size() != static_cast<std::size_t>(ranks_)) {
      refuse(fmt::format("has \"{}\" of {} ranks, and the platform has {}", member, found.size(), ranks_));
    }
    return found;
  }

  /// Reads an integer, also in the notation 21e9.
  std::int64_t whole(const Json& value, const char* what) const {
    constexpr double largest = 9e15;  // doubles below this hold integers exactly
    if (value.is_number_unsigned()) {
      const auto number = value.get<std::uint64_t>();
      if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return static_cast<std::int64_t>(number);
      }
    } else if (value.is_number_integer()) {
      return value.get<std::int64_t>();
    } else if (value.is_number_float()) {
      const auto number = value.get<double>();
      if (number >= -largest && number <= largest && number == static_cast<double>(static_cast<std::int64_t>(number))) {
        return static_cast<std::int64_t>(number);
      }
    }
    refuse(fmt::format("has {} among its {}, no whole number below 2^63", tombolo::quoted(value.dump()), what));
  }

  SpeedFunction function(const Json& list, std::size_t rank) const {
    if (!list.is_array()) refuse(fmt::format("has no list of points for rank {}", rank));
    std::vector<SpeedPoint> points;
    for (const Json& point : list) {
      if (!point.is_array() || point.size() != 2) {
        refuse(fmt::format("has {} among the points of rank {}, no pair of size and speed",
                           tombolo::quoted(point.dump()), rank));
      }
      points.push_back({.size = whole(point[0], "sizes"), .speed = whole(point[1], "speeds")});
    }
    try {
      return SpeedFunction(std::move(points));
    } catch (const Error& error) {
      const std::string what = error.what();
      refuse(fmt::format("has for rank {} {}", rank, what.substr(0, what.rfind("; "))));
    }
  }

  std::string name_;
  const Json* json_;
  int ranks_;
};

void store(Platform& platform, const std::map<std::string, KernelSpeeds>& all) {
  Json section = Json::object();
  for (const auto& [kernel, known] : all) {
    Json by_rank = Json::array();
    for (const SpeedFunction& function : known.by_rank) {
      Json points = Json::array();
      for (const auto& [size, speed] : function.points()) points.push_back(Json::array({size, speed}));
      by_rank.push_back(std::move(points));
    }
    const auto& [version, sizes, threads, millicores] = known.conditions;
    Json& entry = section[kernel] = {{"unit", known.unit}, {"version", version}};
    if (!sizes.empty()) entry["sizes"] = sizes;
    entry["threads"] = threads;
    if (!millicores.empty()) entry["quota_millicores"] = millicores;
    if (!known.date.empty()) entry["measured"] = known.date;
    entry["speeds"] = std::move(by_rank);
  }
  platform.sections[kernels_section] = section.dump();
}

bool alike(std::int64_t kept, std::int64_t now) {
  constexpr std::int64_t part = 20;
  return (kept == 0) == (now == 0) && std::abs(kept - now) <= std::max(kept, now) / part;
}

}  // namespace

bool hold_for(const KernelConditions& kept, const KernelConditions& now) {
  return kept.version == now.version && kept.sizes == now.sizes && !kept.sizes.empty() && kept.threads == now.threads &&
         std::equal(kept.millicores.begin(), kept.millicores.end(), now.millicores.begin(), now.millicores.end(),
                    alike);
}

std::string when_measured(const std::string& kernel, const KernelSpeeds& speeds) {
  return fmt::format("{}: {}", kernel, speeds.date.empty() ? "no date of measurement" : "measured " + speeds.date);
}

void store_kernel(Platform& platform, const std::string& name, const KernelSpeeds& speeds) {
  std::map<std::string, KernelSpeeds> all = stored_kernels(platform);
  all.insert_or_assign(name, speeds);
  store(platform, all);
}

void store_kernels_of_part(const Platform& platform, const std::vector<Rank>& members, Platform& part) {
  const auto of_members = [&](const auto& by_rank) {
    std::decay_t<decltype(by_rank)> some;
    for (const Rank member : members) {
      if (!by_rank.empty()) some.push_back(by_rank[static_cast<std::size_t>(member)]);
    }
    return some;
  };
  for (auto& [name, speeds] : stored_kernels(platform)) {
    KernelSpeeds of_part = speeds;
    of_part.conditions.threads = of_members(speeds.conditions.threads);
    of_part.conditions.millicores = of_members(speeds.conditions.millicores);
    of_part.by_rank = of_members(speeds.by_rank);
    store_kernel(part, name, of_part);
  }
}

bool drop_kernel(Platform& platform, const std::string& name) {
  std::map<std::string, KernelSpeeds> all = stored_kernels(platform);
  if (all.erase(name) == 0) return false;
  store(platform, all);
  return true;
}

std::map<std::string, KernelSpeeds> stored_kernels(const Platform& platform) {
  std::map<std::string, KernelSpeeds> all;
  const auto found = platform.sections.find(kernels_section);
  if (found == platform.sections.end()) return all;
  const Json section = Json::parse(found->second, nullptr, false);
  if (!section.is_object()) {
    throw Error(fmt::format("the platform's section \"{}\" is no object", kernels_section),
                "measure the kernels anew with tombolo discover --kernels");
  }
  for (const auto& [name, entry] : section.items()) {
    all.emplace(name, Entry(name, entry, platform.ranks()).speeds());
  }
  return all;
}

}  // namespace tombolo
