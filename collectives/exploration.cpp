#include <algorithm>

#include <tombolo/collectives/exploration.hpp>
#include <tombolo/collectives/predict.hpp>

namespace tombolo {

namespace {

// Of 128 bits, for products.
__extension__ using Wide = __int128;

// Segments that are simulated at most. Once a pipeline is full, each further period takes as long as the one before;
// where several trees share it, that takes longer.
std::int64_t most_segments(const Request& request, const Algorithm& algorithm, const Parameters& parameters) {
  constexpr std::int64_t one_by_one = 24;
  if (algorithm.period == nullptr) return one_by_one;
  constexpr std::int64_t together = 96;
  const std::int64_t two_periods = 2 * std::int64_t{std::max(algorithm.period(request, parameters), 1)};
  return (std::max(together, 2 * two_periods) + two_periods - 1) / two_periods * two_periods;
}

Picoseconds predicted(Request request, const Algorithm& algorithm, const Parameters& parameters, const Model& model) {
  const auto of = [&](std::int64_t count) {
    request.count = count;
    return predict(Plan(request, algorithm, parameters), model).makespan;
  };
  const std::int64_t segment =
      parameters.segment_bytes > 0 ? std::max<Bytes>(parameters.segment_bytes / request.element_bytes, 1) : 0;
  const std::int64_t most = most_segments(request, algorithm, parameters) * segment;
  const std::int64_t further = request.count - most;
  if (segment == 0 || further <= 0) return of(request.count);
  const Picoseconds all = of(most);
  const Picoseconds half = of(most / 2);
  return plus(all,
              static_cast<Picoseconds>(std::min<Wide>(static_cast<Wide>(all - half) * further / (most / 2), never)));
}

}  // namespace

Exploration::Exploration(const Algorithm& algorithm, const Request& request, const Model& model,
                         const Thresholds* thresholds)
    : algorithm_(algorithm), request_(request), judged_(request.with_in_place(false)), model_(model), sizes_{0} {
  // Only the root knows whether it works in place, so that must not decide what all ranks choose.
  if (thresholds != nullptr) throttle_ = throttle_for(*thresholds, judged_);
  if (throttle_ && &algorithm == &gatherv_flat) escalation_ = throttle_->escalation;
  if (!algorithm.segments) return;
  // Trees that share a vector out get a segment each at least.
  const std::int64_t parts = algorithm.period == nullptr ? 1 : std::max(algorithm.period(request, {}), 1);
  const Bytes most = request.count * request.element_bytes / parts;
  for (const Bytes segment : segment_sizes(request, model)) {
    if (parts == 1 || segment <= most) sizes_.push_back(segment);
  }
}

Picoseconds Exploration::best() const {
  return found_.empty() ? never : found_[index_of_best()].predicted;
}

std::size_t Exploration::index_of_best() const {
  const auto faster = [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; };
  return static_cast<std::size_t>(std::min_element(found_.begin(), found_.end(), faster) - found_.begin());
}

const Parameters& Exploration::best_parameters() const {
  return found_[index_of_best()].plan.parameters();
}

Picoseconds Exploration::predict_with(Parameters parameters) {
  if (algorithm_.throttles) parameters.window = throttle_->window;
  for (const Candidate& before : found_) {
    if (before.plan.parameters() == parameters) return before.predicted;
  }
  const Picoseconds time = plus(predicted(judged_, algorithm_, parameters, model_), escalation_);
  found_.push_back({Plan(request_, algorithm_, std::move(parameters)), time});
  return time;
}

Picoseconds Exploration::predict_segment(std::size_t index) {
  const Parameters usual = variants(request_, algorithm_, model_, sizes_[index], Effort::usual).front();
  Parameters parameters = found_.empty() ? usual : best_parameters();
  parameters.segment_bytes = sizes_[index];
  if (parameters.lanes == Lanes::per_link) parameters.window = usual.window;
  return predict_with(std::move(parameters));
}

void Exploration::begin() {
  if (algorithm_.throttles && !throttle_) return;
  predict_segment(0);
  if (sizes_.size() > 1) predict_segment((sizes_.size() + 1) / 2);
}

void Exploration::refine(Effort effort) {
  if (found_.empty()) return;
  const auto at = [this] {
    return static_cast<std::size_t>(std::find(sizes_.begin(), sizes_.end(), best_parameters().segment_bytes) -
                                    sizes_.begin());
  };
  for (const int step : {1, -1}) {
    for (std::size_t from = at();; from = at()) {
      const std::size_t next = from + static_cast<std::size_t>(step);  // below 0 is beyond the end
      if (next >= sizes_.size()) break;
      const Picoseconds before = best();
      if (predict_segment(next) >= before) break;
    }
  }
  const Bytes segment = best_parameters().segment_bytes;
  for (Parameters other : variants(request_, algorithm_, model_, segment, effort)) {
    other.segment_bytes = segment;
    predict_with(std::move(other));
  }
}

void Exploration::all() {
  if (algorithm_.throttles && !throttle_) return;
  for (std::size_t size = 0; size < sizes_.size(); ++size) predict_segment(size);
  Picoseconds before = never;
  for (int round = 0; round < 3 && best() < before; ++round) {
    before = best();
    refine(Effort::thorough);
  }
}

}  // namespace tombolo
