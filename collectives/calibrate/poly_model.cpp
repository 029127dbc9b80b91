#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/poly_model.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

/// The errors of a model over the samples of one size, or of several.
struct Record {
  double errors = 0;
  double worst = 0;
  int samples = 0;
  void add(const Record& other) {
    errors += other.errors;
    worst = std::max(worst, other.worst);
    samples += other.samples;
  }
};

struct OfSize {
  int samples = 0;
  std::map<std::string, Record> models;
};

using BySize = std::map<Bytes, OfSize>;
using Key = std::tuple<std::string, Operation, std::string>;  // scope, operation, algorithm

double log_error(Picoseconds predicted, Picoseconds measured) {
  const auto log = [](Picoseconds time) { return std::log(static_cast<double>(std::max<Picoseconds>(time, 1))); };
  return std::abs(log(predicted) - log(measured));
}

void record(OfSize& size, const Sample& sample) {
  ++size.samples;
  for (const auto& [model, predicted] : sample.predicted) {
    const double error = log_error(predicted, sample.measured);
    size.models[model].add({.errors = error, .worst = error, .samples = 1});
  }
}

// With fewer samples of a size, a wrong model can fit by chance.
constexpr int enough_samples = 3;

/// Returns the misfit of a model at a size: the mean error over its samples; with few samples the worst error, those of
/// neighbouring sizes included at half weight.
double misfit(const BySize& sizes, BySize::const_iterator at, const std::string& model) {
  const Record& here = at->second.models.at(model);
  if (here.samples >= enough_samples) return here.errors / here.samples;
  double worst = here.worst;
  const auto neighbour = [&](const OfSize& size) {
    const auto found = size.models.find(model);
    if (found != size.models.end()) worst = std::max(worst, found->second.worst / 2);
  };
  if (at != sizes.begin()) neighbour(std::prev(at)->second);
  if (std::next(at) != sizes.end()) neighbour(std::next(at)->second);
  return worst;
}

/// Returns the name of the model to trust; null if no model predicts all samples.
const std::string* chosen(const BySize& sizes, BySize::const_iterator at, const std::map<std::string, double>& seconds,
                          double alike) {
  const OfSize& size = at->second;
  double least = HUGE_VAL;
  for (const auto& [model, record] : size.models) {
    if (record.samples == size.samples) least = std::min(least, misfit(sizes, at, model));
  }
  const std::string* best = nullptr;
  std::pair<double, double> best_cost;  // cost, then misfit; among equals the first name
  for (const auto& [model, record] : size.models) {
    if (record.samples < size.samples) continue;
    const double here = misfit(sizes, at, model);
    if (here > least + alike) continue;
    const auto cost = seconds.find(model);
    const std::pair<double, double> now = {cost == seconds.end() ? HUGE_VAL : cost->second, here};
    if (best != nullptr && now >= best_cost) continue;
    best = &model;
    best_cost = now;
  }
  return best;
}

/// Returns the smallest x with x * x >= a * b: from x on, the larger size is nearer by ratio. A size of 0 counts as 1.
Bytes geometric_middle(Bytes a, Bytes b) {
  const Wide product = static_cast<Wide>(std::max<Bytes>(a, 1)) * std::max<Bytes>(b, 1);
  auto x = static_cast<Wide>(std::sqrt(static_cast<double>(product)));
  while (x * x >= product) --x;
  while (x * x < product) ++x;
  return static_cast<Bytes>(x);
}

std::vector<PolyModel::Range> ranges_of(const BySize& sizes, const std::map<std::string, double>& seconds,
                                        double alike) {
  std::vector<PolyModel::Range> ranges;
  double errors = 0;  // of the last range
  Bytes before = 0;
  for (auto at = sizes.begin(); at != sizes.end(); ++at) {
    const auto& [bytes, size] = *at;
    const std::string* const model = chosen(sizes, at, seconds, alike);
    if (model == nullptr) continue;
    if (ranges.empty() || ranges.back().model != *model) {
      ranges.push_back({ranges.empty() ? 0 : geometric_middle(before, bytes), *model, 0, 0});
      errors = 0;
    }
    errors += size.models.at(*model).errors;
    PolyModel::Range& range = ranges.back();
    range.samples += size.samples;
    range.error = std::llround(errors / range.samples * one_in_millionths);
    before = bytes;
  }
  return ranges;
}

const PolyModel::Range* range_at(const PolyModel::Entry& entry, Bytes bytes) {
  const auto after = std::upper_bound(entry.ranges.begin(), entry.ranges.end(), bytes,
                                      [](Bytes b, const PolyModel::Range& range) { return b < range.from; });
  return after == entry.ranges.begin() ? nullptr : &*std::prev(after);
}

constexpr auto remedy = "make the samples anew, or remove section poly from the platform file";

PolyModel::Range read_range(const JsonNode& node, const std::vector<PolyModel::Range>& before) {
  const JsonNode from = node.member("from_bytes");
  PolyModel::Range range = {from.natural(), node.member("model").text(), node.member("error_millionths").natural(),
                            node.member("samples").small_integer()};
  if (before.empty() && range.from != 0) from.refuse(fmt::format("is {}; the first range begins at 0", range.from));
  if (!before.empty() && range.from <= before.back().from) {
    from.refuse(fmt::format("is {}, not more than the {} of the range before", range.from, before.back().from));
  }
  if (range.samples < 1) node.refuse(fmt::format("has {} samples; a range has one or more", range.samples));
  return range;
}

PolyModel::Entry read_entry(const JsonNode& node) {
  const JsonNode operation = node.member("operation");
  const auto known = find_operation(operation.text());
  if (!known) operation.refuse(fmt::format("is {}, which is no operation", tombolo::quoted(operation.text())));
  PolyModel::Entry entry = {node.member("scope").text(), *known, node.text("algorithm", {}), {}};
  const JsonNode ranges = node.member("ranges");
  for (const JsonNode& range : ranges.list()) entry.ranges.push_back(read_range(range, entry.ranges));
  if (entry.ranges.empty()) ranges.refuse("holds no ranges");
  return entry;
}

}  // namespace

const PolyModel::Range* PolyModel::find(std::string_view scope, Operation operation, std::string_view algorithm,
                                        Bytes bytes) const {
  for (const std::string_view where : {scope, std::string_view("all")}) {
    for (const std::string_view how : {algorithm, std::string_view()}) {
      const auto entry = std::ranges::find_if(
          entries, [&](const Entry& e) { return e.scope == where && e.operation == operation && e.algorithm == how; });
      if (entry == entries.end()) continue;
      if (const Range* const range = range_at(*entry, bytes)) return range;
    }
  }
  return nullptr;
}

PolyModel poly_adapt_1(std::span<const Sample> samples, const std::map<std::string, double>& seconds, double alike) {
  std::map<Key, BySize> all;
  for (const Sample& sample : samples) {
    record(all[{sample.scope, sample.operation, sample.algorithm}][sample.bytes], sample);
    if (!sample.algorithm.empty()) record(all[{sample.scope, sample.operation, ""}][sample.bytes], sample);
  }
  PolyModel poly;
  for (const auto& [key, sizes] : all) {
    const auto& [scope, operation, algorithm] = key;
    std::vector<PolyModel::Range> ranges = ranges_of(sizes, seconds, alike);
    if (!ranges.empty()) poly.entries.push_back({scope, operation, algorithm, std::move(ranges)});
  }
  return poly;
}

std::optional<PolyChoice> poly_adapt_2(const PolyModel& poly, std::string_view scope, Operation operation, Bytes bytes,
                                       std::span<const Forecast> forecasts) {
  std::optional<PolyChoice> best;
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    const PolyModel::Range* const range = poly.find(scope, operation, forecasts[i].algorithm, bytes);
    if (range == nullptr) continue;
    const auto predicted = forecasts[i].predicted.find(range->model);
    if (predicted == forecasts[i].predicted.end()) continue;
    if (!best || predicted->second < best->predicted) best = PolyChoice{i, range->model, predicted->second};
  }
  return best;
}

std::optional<Picoseconds> predicted_by(const PolyModel& poly, const Sample& sample) {
  const PolyModel::Range* const range = poly.find(sample.scope, sample.operation, sample.algorithm, sample.bytes);
  if (range == nullptr) return std::nullopt;
  const auto found = sample.predicted.find(range->model);
  if (found == sample.predicted.end()) return std::nullopt;
  return found->second;
}

std::string to_json(const PolyModel& poly) {
  Json entries = Json::array();
  for (const PolyModel::Entry& entry : poly.entries) {
    Json json = {{"scope", entry.scope}, {"operation", std::string(name(entry.operation))}};
    if (!entry.algorithm.empty()) json["algorithm"] = entry.algorithm;
    json["ranges"] = Json::array();
    for (const PolyModel::Range& range : entry.ranges) {
      json["ranges"].push_back({{"from_bytes", range.from},
                                {"model", range.model},
                                {"error_millionths", range.error},
                                {"samples", range.samples}});
    }
    entries.push_back(std::move(json));
  }
  return entries.dump(-1, ' ', false, Json::error_handler_t::replace);
}

PolyModel poly_from_json(std::string_view text, const std::string& name) {
  const JsonDocument document = parse_json(text, name, remedy);
  PolyModel poly;
  for (const JsonNode& node : JsonNode(document).list()) {
    PolyModel::Entry entry = read_entry(node);
    for (const PolyModel::Entry& other : poly.entries) {
      const auto what = [](const PolyModel::Entry& e) { return std::tie(e.scope, e.operation, e.algorithm); };
      if (what(other) == what(entry)) node.refuse("is of the same scope, operation and algorithm as one before");
    }
    poly.entries.push_back(std::move(entry));
  }
  return poly;
}

}  // namespace tombolo
