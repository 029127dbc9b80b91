// Implements to_json of platform_file.hpp.
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/platform/description/level_names.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/file/platform_format.hpp>
#include <tombolo/platform/json/text.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::ordered_json;

// Writes a member unless it has its default value.
template <class Value>
void put(Json& json, const char* name, const Value& value, const Value& usual) {
  if (value != usual) json[name] = value;
}

void put(Json& json, const std::string& figure, const std::string& unit, const Measured& measured) {
  if (measured.value != 0) json[figure + unit] = measured.value;
  if (measured.error != 0) json[figure + "_error" + unit] = measured.error;
}

Json json_of(const Processor& processor, Rank rank) {
  const Processor usual;
  Json json = {{"rank", rank}, {"host", processor.host}, {"speed_flops", processor.speed}};
  put(json, "model", processor.model, usual.model);
  json["cores"] = processor.cores;
  put(json, "ranks_sharing", processor.ranks_sharing, usual.ranks_sharing);
  put(json, "threads", processor.threads, usual.threads);
  put(json, "package", processor.place.package, usual.place.package);
  put(json, "numa", processor.place.numa, usual.place.numa);
  put(json, "cache", processor.place.cache, usual.place.cache);
  put(json, "core", processor.place.core, usual.place.core);
  put(json, "send_overhead_ps", processor.send_overhead, usual.send_overhead);
  put(json, "receive_overhead_ps", processor.receive_overhead, usual.receive_overhead);
  for (const SpeedPoint& point : processor.speeds) json["speeds_flops"].push_back({point.size, point.speed});
  return json;
}

Json json_of(const Host& host) {
  Json json = {{"name", host.name}};
  put(json, "latency", unit_of_times, host.latency);
  put(json, "rate", unit_of_rates, host.rate);
  put(json, "memory", unit_of_rates, host.memory);
  return json;
}

Json json_of(const Level& level) {
  Json json = {{"name", level.name}, {"kind", name_of(level.kind)}};
  put(json, "latency", unit_of_times, level.latency);
  put(json, "rate", unit_of_rates, level.rate);
  put(json, "uplink", unit_of_rates, level.uplink);
  json["ranks"] = level.ranks;
  json["children"] = Json::array();
  for (const Level& child : level.children) json["children"].push_back(json_of(child));
  return json;
}

Json json_of(const Link& link, const std::vector<const Level*>& all) {
  const auto cluster = [&](int number) { return all[static_cast<std::size_t>(number)]->name; };
  Json json = {{"between", {cluster(link.a), cluster(link.b)}}, {"latency_ps", link.latency.value}};
  put(json, "latency", unit_of_times, link.latency);
  put(json, "rate", unit_of_rates, link.rate);
  put(json, "total", unit_of_rates, link.total);
  put(json, "flows", link.flows, 0);
  return json;
}

Json json_of(const Origin& origin) {
  const Origin usual;
  Json json = {{"source", origin.source}};
  put(json, "mpi", origin.mpi, usual.mpi);
  put(json, "simulated", origin.simulated, usual.simulated);
  put(json, "seconds", origin.seconds, usual.seconds);
  put(json, "messages", origin.messages, usual.messages);
  put(json, "not_measured", origin.not_measured, usual.not_measured);
  return json;
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

// Formats the items one by one, so that only one of them exists as a tree at a time.
template <class Items, class Make>
std::string text_of_list(const Items& items, Make make) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += text_of(make(item));
  }
  return text + "]";
}

}  // namespace

std::string to_json(const Platform& platform) {
  check_platform(platform);
  const std::vector<const Level*> all = clusters(platform.levels);
  Rank rank = 0;
  std::string text = fmt::format(R"({{"format":"{}","version":{})", platform_format, platform_version);
  const auto add = [&](const std::string& name, const std::string& value) {
    text.append(",").append(text_of(Json(name))).append(":").append(value);
  };
  add("origin", text_of(json_of(platform.origin)));
  add("processors", text_of_list(platform.processors, [&](const Processor& p) { return json_of(p, rank++); }));
  add("hosts", text_of_list(platform.hosts, [](const Host& host) { return json_of(host); }));
  add("levels", text_of(json_of(platform.levels)));
  add("links", text_of_list(platform.links, [&](const Link& link) { return json_of(link, all); }));
  for (const auto& [name, section] : platform.sections) add(name, section);
  return laid_out_json(text + "}");
}

}  // namespace tombolo
