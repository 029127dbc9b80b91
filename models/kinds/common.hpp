#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/models/pairs/pair_classes.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Wraps a model's parameters for JsonNode, whose messages locate errors: "parameters of loggp: classes[1].latency is
/// "a", not a whole number; estimate the model on this platform".
JsonDocument parameters_document(std::string_view model, const Json& parameters);

/// Returns the list "classes" of parameters, one entry for each class in the order of its number; "pairs" in an entry
/// names the class. Throws Error unless every class has exactly one entry.
std::vector<JsonNode> entries_of_classes(const JsonNode& parameters, const PairClasses& classes);

/// The rate of copies in memory: the median over the platform's hosts, or 10 GB/s if none was measured. On a simulated
/// platform without a measured rate, a rate so high that local work takes almost no time, as in the simulator.
BytesPerSecond memory_rate_of(const Platform& platform);

/// Returns {"classes": [{"pairs": "c1", ...}, ...]}; entry(figures) supplies the other members of each entry.
template <class Figures, class Entry>
Json written_by_class(const ByClass<Figures>& figures, Entry entry) {
  Json list = Json::array();
  for (int index = 0; index < figures.classes().size(); ++index) {
    Json item;
    item["pairs"] = figures.classes().name(index);
    item.update(entry(figures.all()[static_cast<std::size_t>(index)]));
    list.push_back(std::move(item));
  }
  Json parameters;
  parameters["classes"] = std::move(list);
  return parameters;
}

/// Throws Error "a latency of -5 ps; it is 0 or more".
inline void check_not_negative(std::string_view name, std::int64_t value, std::string_view unit) {
  if (value < 0) throw Error(fmt::format("a {} of {} {}", name, value, unit), "it is 0 or more");
}

/// Throws Error "a memory rate of 0 B/s; it is positive".
inline void check_positive(std::string_view name, std::int64_t value, std::string_view unit) {
  if (value <= 0) throw Error(fmt::format("a {} of {} {}", name, value, unit), "it is positive");
}

/// Fits a cost to the total time until arrival: shortens `receive_overhead`, then `receive`, to what fits, and sets
/// `transit` to the rest.
inline MessageCost total_cost(MessageCost wanted, Picoseconds total) {
  total = std::max<Picoseconds>(total, 0);
  wanted.receive_overhead = std::clamp<Picoseconds>(wanted.receive_overhead, 0, total);
  wanted.receive = std::clamp<Picoseconds>(wanted.receive, 0, total - wanted.receive_overhead);
  wanted.transit = total - wanted.receive_overhead - wanted.receive;
  return wanted;
}

/// A figure of a model: its member in parameters, its name and unit in errors, and its place in the model's Figures.
template <class Figures>
struct FigureRow {
  const char* member;
  const char* name;
  const char* unit;
  std::int64_t Figures::*value;
};

/// A model with figures by class of pairs. `F` has the integers among its figures in a table, F::rows(), and the time
/// of the smallest message, least_time().
template <class F>
class ModelByClass : public Model {
 public:
  using Figures = F;
  const ByClass<F>& figures() const { return figures_; }
  Picoseconds local(Bytes bytes) const override { return transfer_time(bytes, memory_rate_); }
  Picoseconds longest_latency() const override { return longest_latency_; }

 protected:
  /// Throws Error for negative figures, a memory rate that is not positive, and classes of the platform without
  /// figures.
  ModelByClass(const Platform& platform, std::vector<F> by_class, BytesPerSecond memory_rate)
      : figures_(platform, std::move(by_class)), memory_rate_(memory_rate) {
    check_positive("memory rate", memory_rate, "B/s");
    for (const F& pair : figures_.all()) {
      for (const FigureRow<F>& row : F::rows()) check_not_negative(row.name, pair.*row.value, row.unit);
      longest_latency_ = std::max(longest_latency_, pair.least_time());
    }
  }

 private:
  ByClass<F> figures_;
  BytesPerSecond memory_rate_;
  Picoseconds longest_latency_ = 0;
};

/// The integers among figures, as members of a JSON object.
template <class F>
Json written_figures(const F& figures) {
  Json json;
  for (const FigureRow<F>& row : F::rows()) json[row.member] = figures.*row.value;
  return json;
}
template <class F>
F read_figures(const JsonNode& entry) {
  F figures;
  for (const FigureRow<F>& row : F::rows()) figures.*row.value = entry.member(row.member).integer();
  return figures;
}

/// Reads the figures of every class from the output of written_by_class(), each entry by read(node).
template <class Read>
auto read_by_class(const JsonNode& parameters, const Platform& platform, Read read) {
  std::vector<decltype(read(parameters))> figures;
  for (const JsonNode& entry : entries_of_classes(parameters, PairClasses(platform))) figures.push_back(read(entry));
  return figures;
}

}  // namespace tombolo
