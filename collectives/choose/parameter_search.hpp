#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/search_state.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>

namespace tombolo {

/// Whether a plan starts messages of more bytes to one rank at once than a port of a switch may be expected to buffer.
/// Packets beyond are lost, and TCP waits to send them again (incast), which no model counts. A window per rank paces
/// them.
bool floods_a_port(const Plan& plan);

/// The parameter search of one algorithm for one request. Begins with few settings and a quick look, a prediction in
/// which flows queue, never slower than under fair sharing of links. A close look under fair sharing confirms promising
/// settings.
class ParameterSearch {
 public:
  enum class Trees : std::uint8_t {
    usual,         ///< trees_for(), groups_for()
    sharing_links  ///< link_sharing_trees_for()
  };
  /// All arguments must outlive the search. Predictions stop when the budget of `search` is spent.
  ParameterSearch(const Algorithm& algorithm, const Request& request, const Model& model,
                  const PlatformKnowledge& knowledge, SearchState& search, Trees trees = Trees::usual);

  const Algorithm& algorithm() const { return algorithm_; }
  Trees trees() const { return trees_; }

  /// Takes a quick look at unsegmented messages (stage 0); at segments of middle size (1); at smaller segments, for
  /// mapped algorithms, whose pipelines of many hops the middle size may not fill (2). A mapped algorithm tries all
  /// trees for the size. An algorithm with Algorithm::filling has one stage, with its filling_segment(). No candidates
  /// for a throttling algorithm without gather outliers, or a mapped one without a hierarchy.
  void begin(int stage);
  static constexpr int stages = 3;
  /// Where hosts have several ranks, takes a quick look at the best setting in the order that has near ranks where the
  /// algorithm is to have them (order_of_groups()).
  void look_at_order();
  /// The least quick time of an unconfirmed setting; `never` if there is none.
  Picoseconds promise() const;
  /// Predicts the most promising unconfirmed setting with fair sharing.
  void confirm();
  /// Improves the best setting: doubles and halves segments as long as that helps, then tries other radices and
  /// windows. Where the best floods a port, confirms a window that costs nothing.
  void refine(Effort effort = Effort::some);
  /// Tries detours for the best setting, if the platform has any.
  void take_detours();
  /// Tries every segment size, then other settings around the best until that no longer helps. Finally swaps ranks of
  /// the best tree (with_ranks_swapped()).
  void all();

  /// Returns all settings with a confirmed time, which a look that stopped at its limit has not; all quick looks if
  /// nothing is confirmed.
  std::vector<Candidate> found() const;
  /// The least confirmed time; `never` if there is none.
  Picoseconds best() const;

 private:
  struct Evaluation {
    Plan plan;
    Picoseconds quick = never;
    Picoseconds confirmed = never;
    bool stopped = false;  // at the limit of the close look: `confirmed` is only a lower bound
  };
  const Parameters& best_parameters() const;
  Parameters with_segment(std::size_t index) const;
  Evaluation& seen(Parameters parameters);
  Picoseconds confirm(Evaluation& here);
  bool takes_part() const;
  void look(Parameters parameters);
  void look_at_segment(std::size_t index);
  void look_at_eager();
  void look_at_filling();
  bool paces() const;
  std::vector<Parameters> with_paces(std::size_t index) const;
  void look_at_mapped(Bytes segment, std::optional<int> window = {});
  int heeded_radix(int radix, const Parameters& mapped) const;
  void look_around(Effort effort);
  void look_at_paced();
  void swap_ranks();
  Picoseconds at_least(const Plan& plan, const Fidelity& look);
  Picoseconds predict(const Plan& plan, Fidelity look);
  Picoseconds with_contention(const Parameters& parameters, Picoseconds simulated);

  const Algorithm& algorithm_;
  const Request& request_;
  Request judged_;
  const Model& model_;
  ModelWithin model_within_;
  const Hierarchy* hierarchy_;
  bool orders_;  // hosts have several ranks
  const ClusterLinks* links_;
  bool detours_;
  const AlltoallContention* alltoall_contention_ = nullptr;  // null if not for this algorithm
  Picoseconds contention_ = 0;                               // time added with all messages in flight at once
  SearchState* search_;
  Trees trees_;
  std::optional<Throttle> throttle_;
  Picoseconds escalation_ = 0;
  bool cuts_blocks_ = false;  // segments are parts of blocks, each block split by itself
  std::vector<Bytes> sizes_;  // of segments, in descending order, after 0 for unsegmented messages
  std::vector<Evaluation> seen_;
};

}  // namespace tombolo
