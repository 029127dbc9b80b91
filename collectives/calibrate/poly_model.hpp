#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/calibrate/sample.hpp>
#include <tombolo/models/fitting/arithmetic.hpp>

namespace tombolo {

/// The model to trust, by scope, operation, algorithm and size: the poly-model of the adaptive framework (sections 3
/// and 4.3 of its paper), whose first step fixes the algorithm, as the errors of a model differ between algorithms. One
/// rank fits it and the others get it as text; look-up is in integers.
struct PolyModel {
  /// The model for sizes from `from` up to the next range.
  struct Range {
    Bytes from = 0;
    std::string model;
    Millionths error = 0;  ///< mean of |log(predicted / measured)| over the samples
    int samples = 0;
    bool operator==(const Range&) const = default;
  };
  struct Entry {
    std::string scope;
    Operation operation = Operation::barrier;
    std::string algorithm;      ///< empty: fitted to all timed algorithms together, for untimed ones
    std::vector<Range> ranges;  ///< ascending, the first from 0
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;

  /// Returns the range for a scope, operation and algorithm; else for the scope and operation; else the same for scope
  /// "all". Null without any.
  const Range* find(std::string_view scope, Operation operation, std::string_view algorithm, Bytes bytes) const;

  bool operator==(const PolyModel&) const = default;
};

/// Logarithmic errors within this distance count as equal: 2 % of the time.
constexpr double alike_errors = 0.02;

/// Poly-adapt-1: chooses the best model for each algorithm and size, by the mean error over the samples of that size.
/// With fewer than three samples, by the worst error, of neighbouring sizes included at half weight, as a wrong model
/// can match few samples by chance. Among equals (`alike`), the cheapest: `seconds` is the cost of measuring each
/// model's parameters; a model without an entry is dearest. Only models that predict all samples of a size take part.
/// Neighbouring sizes with the same model form one range; ranges meet at the geometric mean of the sizes beside the
/// border.
PolyModel poly_adapt_1(std::span<const Sample> samples, const std::map<std::string, double>& seconds,
                       double alike = alike_errors);

/// A candidate algorithm and its predicted times.
struct Forecast {
  std::string algorithm;
  Bytes segment = 0;
  std::map<std::string, Picoseconds> predicted = {};  ///< by model
};
struct PolyChoice {
  std::size_t index = 0;  ///< of the forecast
  std::string model;      ///< the trusted model
  Picoseconds predicted = 0;
};

/// Poly-adapt-2: chooses the fastest algorithm, each predicted by the model trusted for it; the first among equals.
/// Nothing if no forecast has a prediction by its trusted model.
std::optional<PolyChoice> poly_adapt_2(const PolyModel& poly, std::string_view scope, Operation operation, Bytes bytes,
                                       std::span<const Forecast> forecasts);

/// Returns the prediction of a sample by its trusted model.
std::optional<Picoseconds> predicted_by(const PolyModel& poly, const Sample& sample);

/// Writes and reads section "poly" of a platform file. Reading throws Error, which begins with `name`, for invalid
/// JSON, and for members missing, of a wrong type or inconsistent.
std::string to_json(const PolyModel& poly);
PolyModel poly_from_json(std::string_view text, const std::string& name);

}  // namespace tombolo
