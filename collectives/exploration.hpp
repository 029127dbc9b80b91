#pragma once

#include <optional>
#include <vector>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/race.hpp>

namespace tombolo {

/// The settings of one algorithm that have been predicted for one request. Begins with few and a quick look, in which
/// flows queue and nothing is slower than where they share links fairly; what looks well is confirmed.
class Exploration {
 public:
  /// All must outlive it. What is beyond what the race lets be spent is not predicted.
  Exploration(const Algorithm& algorithm, const Request& request, const Model& model, const Terrain& terrain,
              Race& race);

  const Algorithm& algorithm() const { return algorithm_; }

  /// A quick look at messages whole (0), and, where they can be cut, in segments of a middle size (1), and of a smaller
  /// one where the middle is far from what fills a pipeline of many hops (2); of one that is mapped, at all trees for
  /// these. Nothing for an algorithm that throttles where nothing escalates, or is mapped where nothing is known of who
  /// is near whom.
  void begin(int stage);
  static constexpr int stages = 3;
  /// The least time of a quick look at what has not been confirmed; `never` where there is none.
  Picoseconds promise() const;
  /// Predicts with fair sharing what promises most.
  void confirm();
  /// From the best so far on: segments twice and half as long as long as that is better, then other radices and
  /// windows.
  void refine(Effort effort = Effort::some);
  /// Every segment size, then other settings around the best again and again as long as that is better. At last ranks
  /// of the best tree change places (mapping/local_search.hpp).
  void all();

  /// What has been confirmed, else what has been looked at.
  std::vector<Candidate> found() const;
  /// The least that is confirmed; `never` where nothing is.
  Picoseconds best() const;

 private:
  struct Seen {
    Plan plan;
    Picoseconds quick = never;
    Picoseconds confirmed = never;
  };
  const Parameters& best_parameters() const;
  Parameters with_segment(std::size_t index) const;
  Seen& seen(Parameters parameters);
  Picoseconds confirm(Seen& here);
  bool races() const;
  void look(Parameters parameters);
  void look_at_segment(std::size_t index);
  void look_at_trees(Bytes segment);
  int heeded_radix(int radix, const MappedTrees& trees) const;
  void look_around(Effort effort, int confirmed);
  void swap_ranks();
  Picoseconds at_least(const Plan& plan, const Look& look);
  Picoseconds predict(const Plan& plan, Look look);
  Picoseconds crowded(const Parameters& parameters, Picoseconds simulated);

  const Algorithm& algorithm_;
  const Request& request_;
  Request judged_;
  const Model& model_;
  const Landscape* landscape_;
  const Crowding* crowding_ = nullptr;  // where it says something of this algorithm
  Picoseconds contention_ = 0;          // what it adds where all messages are under way at once
  Race* race_;
  std::optional<Throttle> throttle_;
  Picoseconds escalation_ = 0;
  bool cuts_blocks_ = false;  // whether segments are parts of blocks, each of which is cut by itself
  std::vector<Bytes> sizes_;  // of segments, 0 for whole messages, then the largest first
  std::vector<Seen> seen_;
};

}  // namespace tombolo
