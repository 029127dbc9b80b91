#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/measuring/sample.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_pairs = 256;

// Pairs at the rank distances 1, 2, 4, ..., and the other neighbours: the pairs that trees and chains use.
std::vector<std::pair<Rank, Rank>> spread_pairs(Rank ranks) {
  std::vector<std::pair<Rank, Rank>> all;
  for (Rank a = 0; a < ranks; ++a) {
    for (Rank distance = 1; distance < ranks; distance *= 2) {
      if ((a & distance) == 0 && (a ^ distance) < ranks) all.emplace_back(a, a ^ distance);
    }
    if (a % 2 == 1 && a + 1 < ranks) all.emplace_back(a, a + 1);
  }
  return all;
}

}  // namespace

Hockney::Hockney(Parameters parameters) : parameters_(parameters) {
  if (parameters.latency < 0) {
    throw Error(fmt::format("a latency of {} s", seconds(parameters.latency)), "a latency is 0 or more");
  }
  if (parameters.longest_latency < 0) {
    throw Error(fmt::format("a longest latency of {} s", seconds(parameters.longest_latency)),
                "a latency is 0 or more");
  }
  if (parameters.rate <= 0 || parameters.memory_rate <= 0) {
    throw Error(fmt::format("a rate of {} B/s and a memory rate of {} B/s", parameters.rate, parameters.memory_rate),
                "rates are positive");
  }
}

Picoseconds Hockney::time(Bytes bytes) const {
  return plus(parameters_.latency, transfer_time(bytes, parameters_.rate));
}

std::string Hockney::describe() const {
  return fmt::format("Hockney: {} + bytes / {:.4g} GB/s", readable(parameters_.latency),
                     static_cast<double>(parameters_.rate) * 1e-9);
}

MessageCost Hockney::message(Rank, Rank, Bytes bytes) const {
  const Picoseconds busy = time(bytes);
  return {.send = busy, .receive = busy};
}

Picoseconds Hockney::longest_latency() const {
  return std::max(parameters_.latency, parameters_.longest_latency);
}

Picoseconds Hockney::local(Bytes bytes) const {
  return transfer_time(bytes, parameters_.memory_rate);
}

std::vector<Line> measure_hockney(std::span<const std::pair<Rank, Rank>> pairs, Laboratory& laboratory) {
  std::vector<Experiment> experiments;
  for (const auto& [a, b] : pairs) {
    for (const Bytes size : hockney_sizes) experiments.push_back({.a = a, .b = b, .there = size, .back = size});
  }
  if (experiments.empty()) return {};
  const std::vector<Measured> times = laboratory.run(experiments, Repeat{});
  const std::vector<double> sizes(hockney_sizes.begin(), hockney_sizes.end());
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < times.size(); begin += sizes.size()) {
    std::vector<double> halves;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      halves.push_back(std::max(1.0, static_cast<double>(times[begin + i].value) / 2));
    }
    const Line line = relative_least_squares(sizes, halves);
    lines.push_back({.intercept = std::max(line.intercept, 0.0), .slope = std::max(line.slope, 0.0)});
  }
  return lines;
}

Hockney::Parameters estimate_hockney(const Platform& platform, Laboratory& laboratory) {
  const std::vector<std::pair<Rank, Rank>> all = spread_pairs(platform.ranks());
  if (all.empty()) return hockney_of(platform).parameters();
  std::vector<std::pair<Rank, Rank>> pairs;
  const std::size_t count = std::min(all.size(), most_pairs);
  for (std::size_t i = 0; i < count; ++i) pairs.push_back(all[i * all.size() / count]);
  std::vector<double> latencies;
  std::vector<double> slopes;
  for (const Line& line : measure_hockney(pairs, laboratory)) {
    latencies.push_back(line.intercept);
    slopes.push_back(line.slope);
  }
  Hockney::Parameters parameters;
  parameters.latency = std::llround(middle_of(latencies));
  parameters.longest_latency = std::llround(*std::ranges::max_element(latencies));
  const double fastest = 1e-3;  // ps per byte: 10^15 B/s, for bytes that take no time
  parameters.rate = std::llround(static_cast<double>(picoseconds_per_second) / std::max(middle_of(slopes), fastest));
  parameters.rate = std::max<BytesPerSecond>(parameters.rate, 1);
  parameters.memory_rate = memory_rate_of(platform);
  return parameters;
}

const ModelKind hockney_model = {
    "hockney", "alpha + beta M, the same for all pairs; no processors, no overlap",
    [](const Platform& platform, Laboratory& laboratory) {
      const Hockney::Parameters found = estimate_hockney(platform, laboratory);
      return Json{{"latency", found.latency}, {"rate", found.rate}, {"longest_latency", found.longest_latency}};
    },
    [](const Platform& platform, const Json& parameters) -> std::unique_ptr<Model> {
      const JsonDocument document = parameters_document("hockney", parameters);
      const JsonNode root(document);
      return std::make_unique<Hockney>(
          Hockney::Parameters{.latency = root.member("latency").integer(),
                              .rate = root.member("rate").integer(),
                              .memory_rate = memory_rate_of(platform),
                              .longest_latency = root.member("longest_latency").integer()});
    }};

Hockney hockney_of(const Platform& platform) {
  const Routes routes(platform);
  std::vector<std::int64_t> latencies;
  std::vector<std::int64_t> rates;
  for (const auto& [a, b] : spread_pairs(platform.ranks())) {
    latencies.push_back(plus(routes.transit(a, b), routes.receive_overhead(a, b)));
    if (routes.rate(a, b) > 0) rates.push_back(routes.rate(a, b));
  }
  Hockney::Parameters parameters;
  parameters.memory_rate = memory_rate_of(platform);
  parameters.latency = median_of(latencies).value;
  parameters.longest_latency = latencies.empty() ? 0 : *std::ranges::max_element(latencies);
  parameters.rate = rates.empty() ? parameters.memory_rate : median_of(rates).value;
  return Hockney(parameters);
}

}  // namespace tombolo
