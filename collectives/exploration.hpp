#pragma once

#include <vector>

#include <tombolo/collectives/choose.hpp>

namespace tombolo {

/// The settings of one algorithm that have been predicted for one request. Begins with few; refine() looks on around
/// the best of them. Numbers of predictions are bounded, never time, so that all ranks find the same.
class Exploration {
 public:
  /// `thresholds` may be null. All must outlive it.
  Exploration(const Algorithm& algorithm, const Request& request, const Model& model, const Thresholds* thresholds);

  /// Messages whole, and, where they can be cut, in segments of a middle size. Nothing for an algorithm that throttles
  /// where nothing escalates.
  void begin();
  /// From the best so far on: segments twice and half as long as long as that is better, then other radices and
  /// windows.
  void refine(Effort effort = Effort::some);
  /// Every segment size, then the same again and again as long as that is better.
  void all();

  const std::vector<Candidate>& found() const { return found_; }
  /// The least that is predicted; `never` where nothing has been.
  Picoseconds best() const;

 private:
  const Parameters& best_parameters() const;
  Picoseconds predict_with(Parameters parameters);
  Picoseconds predict_segment(std::size_t index);
  std::size_t index_of_best() const;

  const Algorithm& algorithm_;
  const Request& request_;
  Request judged_;
  const Model& model_;
  std::optional<Throttle> throttle_;
  Picoseconds escalation_ = 0;
  std::vector<Bytes> sizes_;  // of segments, 0 for whole messages, then the largest first
  std::vector<Candidate> found_;
};

}  // namespace tombolo
