#include <tombolo/models/kinds/common.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

JsonDocument parameters_document(std::string_view model, const Json& parameters) {
  // Names of clusters are external and may be invalid UTF-8.
  const std::string text = parameters.dump(-1, ' ', false, Json::error_handler_t::replace);
  return parse_json(text, fmt::format("parameters of {}", model), "estimate the model on this platform");
}

std::vector<JsonNode> entries_of_classes(const JsonNode& parameters, const PairClasses& classes) {
  const JsonNode list = parameters.member("classes");
  std::vector<JsonNode> entries = list.list();
  if (entries.size() != static_cast<std::size_t>(classes.size())) {
    list.refuse(
        fmt::format("has {} entries, where the platform has {} classes of pairs", entries.size(), classes.size()));
  }
  for (int index = 0; index < classes.size(); ++index) {
    const JsonNode name = entries[static_cast<std::size_t>(index)].member("pairs");
    if (name.text() != classes.name(index)) {
      name.refuse(fmt::format("is {}, not {}", tombolo::quoted(name.text()), tombolo::quoted(classes.name(index))));
    }
  }
  return entries;
}

namespace {

constexpr BytesPerSecond usual = 10'000'000'000;
// A simulation takes no time for local work, so that discovery finds no rate.
constexpr BytesPerSecond no_time = 1'000'000'000'000'000;

}  // namespace

BytesPerSecond memory_rate_of(const Platform& platform) {
  std::vector<std::int64_t> rates;
  for (const Host& host : platform.hosts) {
    if (host.memory.value > 0) rates.push_back(host.memory.value);
  }
  if (!rates.empty()) return median_of(rates).value;
  return platform.origin.simulated ? no_time : usual;
}

}  // namespace tombolo
