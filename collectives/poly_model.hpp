#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/forms/arithmetic.hpp>
#include <tombolo/collectives/sample.hpp>

namespace tombolo {

/// Which model to believe, by where, what, how and how much: the poly-model of the adaptive framework (sections 3 and
/// 4.3 of its paper), whose first step fixes the algorithm, as models err differently about each. It is fitted on one
/// rank and agreed on as text; looking it up is all integers.
struct PolyModel {
  /// From so many bytes on, up to the next range, this model.
  struct Range {
    Bytes from = 0;
    std::string model;
    Millionths error = 0;  ///< mean of |log(predicted / measured)| of its samples
    int samples = 0;
    bool operator==(const Range&) const = default;
  };
  struct Entry {
    std::string scope;
    Operation operation = Operation::barrier;
    std::string algorithm;      ///< empty: of all that were timed together, for those that were not
    std::vector<Range> ranges;  ///< ascending, the first from 0
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;

  /// The range of that scope, operation and algorithm; else of that scope and operation; else the same of scope "all".
  /// Null where nothing was timed.
  const Range* find(std::string_view scope, Operation operation, std::string_view algorithm, Bytes bytes) const;

  bool operator==(const PolyModel&) const = default;
};

/// Logarithmic errors that differ by no more than this are alike: 2 % of the time.
constexpr double alike_errors = 0.02;

/// Poly-adapt-1: for each algorithm and size the model that fits best, by the mean over the samples of that size; where
/// there are fewer than three by the worst, and half by the worst of the sizes beside it (some wrong model meets few
/// samples by chance); of those that fit alike the cheapest. `seconds` is what measuring each model's parameters costs;
/// a model without is dearer than any. Only models that predict all samples of a size compete there. Neighbouring sizes
/// with the same model are one range; between two ranges lies the geometric middle of the sizes beside it.
PolyModel poly_adapt_1(std::span<const Sample> samples, const std::map<std::string, double>& seconds,
                       double alike = alike_errors);

/// An algorithm that may be taken, and what the models say that it takes.
struct Forecast {
  std::string algorithm;
  Bytes segment = 0;
  std::map<std::string, Picoseconds> predicted = {};  ///< by model
};
struct PolyChoice {
  std::size_t index = 0;  ///< of the forecast
  std::string model;      ///< that was believed
  Picoseconds predicted = 0;
};

/// Poly-adapt-2: the fastest algorithm, each by the model chosen for it; of equals the first. Nothing where no forecast
/// has a model chosen and predicting.
std::optional<PolyChoice> poly_adapt_2(const PolyModel& poly, std::string_view scope, Operation operation, Bytes bytes,
                                       std::span<const Forecast> forecasts);

/// What the model chosen for a sample predicts of it.
std::optional<Picoseconds> predicted_by(const PolyModel& poly, const Sample& sample);

/// As section "poly" of a platform file, and back. Errors of reading begin with `name`: no JSON, anything missing, of a
/// wrong type or that does not fit together.
std::string to_json(const PolyModel& poly);
PolyModel poly_from_json(std::string_view text, const std::string& name);

}  // namespace tombolo
