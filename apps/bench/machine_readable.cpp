// figures.hpp's to_csv and to_json.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/plan/parameter_table.hpp>

#include "bench/figures.hpp"

namespace tombolo::benchmarking {

namespace {

using Json = nlohmann::ordered_json;

const char* implementation(const Figure& figure) {
  return figure.native ? "native" : "tombolo";
}

// Empty where there is none.
std::string in_seconds(const std::optional<Picoseconds>& time) {
  return time ? fmt::format("{:.12g}", seconds(*time)) : "";
}

Json json_of(const Figure& f, bool every_time) {
  Json json = {{"op", name(f.operation)}, {"impl", implementation(f)}, {"algorithm", f.algorithm}, {"ranks", f.ranks},
               {"root", f.root},          {"bytes", f.bytes}};
  if (!f.native) {
    for (const ParameterRow& row : parameter_rows()) {
      const std::int64_t value = row.get(f.parameters);
      json["parameters"][row.name] = row.is_flag() ? Json(value != 0) : Json(value);
    }
  }
  json["reps"] = f.timing.times.size();
  if (!f.timing.times.empty()) {
    json["median_s"] = seconds(f.timing.median);
    json["low_s"] = seconds(f.timing.low);
    json["high_s"] = seconds(f.timing.high);
  }
  if (f.predicted) json["predicted_s"] = seconds(*f.predicted);
  json["bound_s"] = seconds(f.bound);
  if (f.right) json["as_native"] = *f.right;
  if (every_time) {
    json["times_s"] = Json::array();
    for (const Picoseconds time : f.timing.times) json["times_s"].push_back(seconds(time));
  }
  return json;
}

}  // namespace

std::string to_csv(const std::vector<Figure>& figures) {
  std::string text =
      fmt::format("op,impl,algorithm,ranks,root,bytes,reps,median_s,low_s,high_s,predicted_s,bound_s,{},as_native\n",
                  parameter_columns());
  for (const Figure& f : figures) {
    const bool timed = !f.timing.times.empty();
    const auto time = [timed](Picoseconds t) { return in_seconds(timed ? std::optional(t) : std::nullopt); };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name(f.operation), implementation(f),
                        f.algorithm, f.ranks, f.root, f.bytes, f.timing.times.size(), time(f.timing.median),
                        time(f.timing.low), time(f.timing.high), in_seconds(f.predicted), in_seconds(f.bound),
                        parameter_values(f.parameters), f.right ? (*f.right ? "yes" : "no") : "");
  }
  return text;
}

std::string to_json(const std::vector<Figure>& figures, const Environment& environment, bool every_time) {
  Json json;
  json["environment"] = {{"mpi", environment.mpi},
                         {"hosts", environment.hosts},
                         {"platform", environment.platform},
                         {"simulated", environment.simulated},
                         {"precision", environment.precision}};
  json["figures"] = Json::array();
  for (const Figure& figure : figures) json["figures"].push_back(json_of(figure, every_time));
  return json.dump(1) + "\n";
}

}  // namespace tombolo::benchmarking
