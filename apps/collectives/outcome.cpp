#include "collectives/outcome.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/plan/parameter_table.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>

#include "output.hpp"

namespace tombolo::tuning {

namespace {

std::string shown(std::optional<Picoseconds> time) {
  return time ? readable(*time) : "";
}

std::string factor(const Decision& d) {
  if (!d.native || !d.measured || *d.measured == 0) return "";
  return fmt::format("{:.2f}", static_cast<double>(*d.native) / static_cast<double>(*d.measured));
}

Json json_of(const Outcome& outcome) {
  const Decision& d = outcome.decision;
  Json json = {{"op", name(d.operation)},
               {"root", d.root},
               {"bytes", d.bytes},
               {"carrier", name(d.backend)},
               {"algorithm", d.algorithm},
               {"how", outcome.how},
               {"predicted_s", seconds(d.predicted)}};
  if (d.measured) json["measured_s"] = seconds(*d.measured);
  if (d.native) json["native_s"] = seconds(*d.native);
  json["contenders"] = Json::array();
  for (std::size_t i = 0; i < outcome.contenders.size(); ++i) {
    const Candidate& c = outcome.contenders[i];
    Json one = {{"algorithm", c.plan.algorithm().name}, {"how", c.plan.how()}, {"predicted_s", seconds(c.predicted)}};
    if (!outcome.measured.empty()) one["measured_s"] = seconds(outcome.measured[i]);
    json["contenders"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string to_text(const std::vector<Outcome>& outcomes, const Setting& setting) {
  Table table({"operation", "root", "bytes", "carried out by", "predicted", "measured", "native", "native/plan"},
              "<>><>>>>");
  for (const Outcome& outcome : outcomes) {
    const Decision& d = outcome.decision;
    const bool native = d.backend == Backend::native;
    table.add({std::string(name(d.operation)), is_rooted(d.operation) ? fmt::format("{}", d.root) : "",
               readable_bytes(d.bytes), native ? fmt::format("MPI (best plan: {})", outcome.how) : outcome.how,
               readable(d.predicted), shown(d.measured), shown(d.native), factor(d)});
  }
  return fmt::format("{}\n{} ranks; platform: {}; {}\n", table.text(), setting.ranks, setting.platform,
                     setting.measured ? "measured in turns" : "by prediction alone");
}

std::string to_csv(const std::vector<Outcome>& outcomes, const Setting& setting) {
  std::string text =
      fmt::format("op,ranks,root,bytes,carrier,algorithm,{},predicted_s,measured_s,native_s\n", parameter_columns());
  for (const Outcome& outcome : outcomes) {
    const Decision& d = outcome.decision;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", name(d.operation), setting.ranks, d.root, d.bytes,
                        name(d.backend), d.algorithm, parameter_values(d.parameters), csv_seconds(d.predicted),
                        csv_seconds(d.measured), csv_seconds(d.native));
  }
  return text;
}

std::string to_json(const std::vector<Outcome>& outcomes, const Setting& setting) {
  Json json = {{"ranks", setting.ranks}, {"platform", setting.platform}, {"measured", setting.measured}};
  json["decisions"] = Json::array();
  for (const Outcome& outcome : outcomes) json["decisions"].push_back(json_of(outcome));
  return json.dump(1) + "\n";
}

}  // namespace tombolo::tuning
