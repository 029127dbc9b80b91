#include <exception>

#include <nlohmann/json.hpp>

#include <tombolo/lab/relay/relay_control.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

Json statistics(const Shaper& shaper, const RelayEffort& effort) {
  Json links = Json::array();
  shaper.each_link([&](int from, int to, const RelayCounts& counts) {
    const double frames = counts.frames > 0 ? static_cast<double>(counts.frames) : 1;
    links.push_back({{"from", from},
                     {"to", to},
                     {"frames", counts.frames},
                     {"bytes", counts.bytes},
                     {"dropped", counts.dropped},
                     {"late_us_mean", static_cast<double>(counts.late) / frames / 1e3},
                     {"late_us_most", static_cast<double>(counts.most_late) / 1e3}});
  });
  return {{"links", links},
          {"frames_unknown", shaper.unknown()},
          {"frames_not_written", effort.not_written},
          {"cpu_s", effort.cpu_seconds}};
}

Json answer(Shaper& shaper, const RelayEffort& effort, std::string_view line) {
  const JsonDocument document =
      parse_json(line, "the request", R"(ask {"set": {"from": 0, "to": 1, ...}} or {"statistics": true})");
  const JsonNode request(document);
  static constexpr std::string_view known[] = {"set", "statistics"};
  request.check_members(known);
  const auto set = request.find("set");
  const auto asked = request.find("statistics");
  if (set.has_value() == asked.has_value()) request.refuse("is neither a set nor a question for statistics");
  if (set) {
    shaper.set(relay_link_from(*set, shaper.sites()));
    return {{"ok", true}};
  }
  if (!asked->flag()) asked->refuse("is false, not true");
  return statistics(shaper, effort);
}

Json error(const std::string& what) {
  return {{"error", what}};
}

}  // namespace

std::string relay_answer(Shaper& shaper, const RelayEffort& effort, std::string_view line) {
  Json answered;
  try {
    answered = answer(shaper, effort, line);
  } catch (const std::exception& failed) {
    answered = error(failed.what());
  }
  return answered.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tombolo
