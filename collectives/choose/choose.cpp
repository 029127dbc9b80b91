#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/contention/alltoall_contention.hpp>
#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/search_state.hpp>
#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/mapping/local_search.hpp>
#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

/// The parameter search of one algorithm for one request. Begins with few settings and a quick look, a prediction in
/// which flows queue, never slower than under fair sharing of links. A close look under fair sharing confirms promising
/// settings.
class ParameterSearch {
 public:
  /// All arguments must outlive the search. Predictions stop when the budget of `search` is spent.
  ParameterSearch(const Algorithm& algorithm, const Request& request, const Model& model,
                  const PlatformKnowledge& knowledge, SearchState& search);

  const Algorithm& algorithm() const { return algorithm_; }

  /// Takes a quick look at unsegmented messages (stage 0); at segments of middle size (1); at smaller segments, for
  /// mapped algorithms, whose pipelines of many hops the middle size may not fill (2). A mapped algorithm tries all
  /// trees for the size. No candidates for a throttling algorithm without gather outliers, or a mapped one without a
  /// hierarchy.
  void begin(int stage);
  static constexpr int stages = 3;
  /// The least quick time of an unconfirmed setting; `never` if there is none.
  Picoseconds promise() const;
  /// Predicts the most promising unconfirmed setting with fair sharing.
  void confirm();
  /// Improves the best setting: doubles and halves segments as long as that helps, then tries other radices and
  /// windows.
  void refine(Effort effort = Effort::some);
  /// Tries every segment size, then other settings around the best until that no longer helps. Finally swaps ranks of
  /// the best tree (mapping/local_search.hpp).
  void all();

  /// Returns all confirmed settings, or all quick looks if none is confirmed.
  std::vector<Candidate> found() const;
  /// The least confirmed time; `never` if there is none.
  Picoseconds best() const;

 private:
  struct Evaluation {
    Plan plan;
    Picoseconds quick = never;
    Picoseconds confirmed = never;
  };
  const Parameters& best_parameters() const;
  Parameters with_segment(std::size_t index) const;
  Evaluation& seen(Parameters parameters);
  Picoseconds confirm(Evaluation& here);
  bool races() const;
  void look(Parameters parameters);
  void look_at_segment(std::size_t index);
  void look_at_mapped(Bytes segment);
  int heeded_radix(int radix, const Parameters& mapped) const;
  void look_around(Effort effort, int confirmed);
  void swap_ranks();
  Picoseconds at_least(const Plan& plan, const Fidelity& look);
  Picoseconds predict(const Plan& plan, Fidelity look);
  Picoseconds crowded(const Parameters& parameters, Picoseconds simulated);

  const Algorithm& algorithm_;
  const Request& request_;
  Request judged_;
  const Model& model_;
  const Hierarchy* hierarchy_;
  const AlltoallContention* alltoall_contention_ = nullptr;  // null if not for this algorithm
  Picoseconds contention_ = 0;                               // time added with all messages in flight at once
  SearchState* search_;
  std::optional<Throttle> throttle_;
  Picoseconds escalation_ = 0;
  bool cuts_blocks_ = false;  // segments are parts of blocks, each block split by itself
  std::vector<Bytes> sizes_;  // of segments, in descending order, after 0 for unsegmented messages
  std::vector<Evaluation> seen_;
};

constexpr Picoseconds worth_more_segments = 32;
constexpr Picoseconds doubt = 10;
// Upper bound. With all blocks on all ranks, the number of messages is the square of the ranks times the segments of a
// block.
constexpr Bytes segments_of_block = 5;

ParameterSearch::ParameterSearch(const Algorithm& algorithm, const Request& request, const Model& model,
                                 const PlatformKnowledge& knowledge, SearchState& search)
    : algorithm_(algorithm),
      request_(request),
      judged_(request.with_in_place(false)),
      model_(model),
      hierarchy_(knowledge.hierarchy),
      search_(&search),
      sizes_{0} {
  // Only the root knows whether it works in place, so in-place calls must not affect the choice of all ranks.
  if (knowledge.thresholds != nullptr) throttle_ = throttle_for(*knowledge.thresholds, judged_);
  if (throttle_ && algorithm.floods && algorithm.operation == Operation::gatherv) escalation_ = throttle_->escalation;
  if (algorithm.floods && algorithm.operation == Operation::alltoallv)
    alltoall_contention_ = knowledge.alltoall_contention;
  if (!algorithm.heeds(Parameter::segment_bytes)) return;
  // Each tree of a striped vector gets at least one segment.
  const std::int64_t parts = algorithm.period == nullptr ? 1 : std::max(algorithm.period(request, {}), 1);
  cuts_blocks_ = parts > 1 && sizes(request.operation) == Sizes::blocks && request.blocks.all_known();
  const Bytes most = (cuts_blocks_ ? request.blocks.total() : request.count) * request.element_bytes / parts;
  for (const Bytes segment : segment_sizes(request, algorithm, model)) {
    if (!cuts_blocks_) {
      if (parts == 1 || segment <= most) sizes_.push_back(segment);
    } else if (segment < most && segment > most / segments_of_block) {
      // Equal segments; of two similar lengths the shorter, which may be eager.
      const Bytes segments = (most + segment - 1) / segment;
      const Bytes equal = (most + segments - 1) / segments;
      if (sizes_.back() > 0 && sizes_.back() / 4 * 3 <= equal) sizes_.pop_back();
      sizes_.push_back(equal);
    }
  }
}

std::vector<Candidate> ParameterSearch::found() const {
  std::vector<Candidate> found;
  const bool any = best() < never;
  for (const Evaluation& each : seen_) {
    if (any && each.confirmed == never) continue;
    found.push_back({each.plan, any ? each.confirmed : each.quick});
  }
  return found;
}

Picoseconds ParameterSearch::best() const {
  Picoseconds best = never;
  for (const Evaluation& each : seen_) best = std::min(best, each.confirmed);
  return best;
}

Picoseconds ParameterSearch::promise() const {
  Picoseconds best = never;
  for (const Evaluation& each : seen_) {
    if (each.confirmed == never) best = std::min(best, each.quick);
  }
  return best;
}

const Parameters& ParameterSearch::best_parameters() const {
  const auto faster = [](const Evaluation& a, const Evaluation& b) {
    return std::pair(a.confirmed, a.quick) < std::pair(b.confirmed, b.quick);
  };
  return std::min_element(seen_.begin(), seen_.end(), faster)->plan.parameters();
}

ParameterSearch::Evaluation& ParameterSearch::seen(Parameters parameters) {
  if (algorithm_.throttles) parameters.window = throttle_->window;
  for (Evaluation& before : seen_) {
    if (before.plan.parameters() == parameters) return before;
  }
  seen_.push_back({.plan = Plan(request_, algorithm_, std::move(parameters))});
  return seen_.back();
}

Picoseconds ParameterSearch::predict(const Plan& plan, Fidelity look) {
  const Parameters& parameters = plan.parameters();
  if (alltoall_contention_ != nullptr) look.limit = never;  // needed for the time of contention
  const Picoseconds simulated = search_->predict(Plan(judged_, algorithm_, parameters), model_, look);
  return alltoall_contention_ == nullptr ? plus(simulated, escalation_) : crowded(parameters, simulated);
}

// Contention grows with the number of messages in flight. The first setting evaluated has all of them in flight.
Picoseconds ParameterSearch::crowded(const Parameters& parameters, Picoseconds simulated) {
  const int all = std::max(request_.ranks - 1, 1);
  const int under_way = parameters.window == 0 ? all : std::min(parameters.window, all);
  if (under_way == all && parameters.segment_bytes == 0) {
    if (simulated == never) simulated = alltoall_contention_->direct(judged_, model_).value_or(never);
    contention_ = std::max<Picoseconds>(alltoall_contention_->measured(judged_).value_or(0) - simulated, 0);
  }
  return plus(simulated, scaled(contention_, under_way, all));
}

// A prediction stopped at its limit counts as limit + 1; one beyond the budget as `never`.
Picoseconds ParameterSearch::at_least(const Plan& plan, const Fidelity& look) {
  const Picoseconds predicted = predict(plan, look);
  return predicted == never && search_->gave_up() ? plus(look.limit, 1) : predicted;
}

void ParameterSearch::look(Parameters parameters) {
  Evaluation& here = seen(std::move(parameters));
  if (here.quick != never) return;
  here.quick = at_least(here.plan, search_->quick_look());
  search_->looked(here.quick);
}

Picoseconds ParameterSearch::confirm(Evaluation& here) {
  if (here.confirmed != never) return here.confirmed;
  here.confirmed = at_least(here.plan, search_->close_look(best()));
  // A close look beyond the budget: falls back to the quick time, plus a margin for its optimism.
  if (here.confirmed == never && here.quick < never && here.plan.parameters().segment_bytes == 0) {
    here.confirmed = plus(here.quick, here.quick / doubt);
  }
  search_->confirmed(here.confirmed);
  return here.confirmed;
}

void ParameterSearch::confirm() {
  Evaluation* most = nullptr;
  for (Evaluation& each : seen_) {
    if (each.confirmed == never && each.quick < never && (most == nullptr || each.quick < most->quick)) most = &each;
  }
  if (most != nullptr) confirm(*most);
}

Parameters ParameterSearch::with_segment(std::size_t index) const {
  const Parameters usual = variants(request_, algorithm_, model_, sizes_[index], Effort::usual).front();
  Parameters parameters = seen_.empty() ? usual : best_parameters();
  parameters.segment_bytes = sizes_[index];
  if (parameters.channels == Channels::per_link) parameters.window = usual.window;
  return parameters;
}

bool ParameterSearch::races() const {
  return (!algorithm_.throttles || throttle_) && (!algorithm_.is_mapped() || hierarchy_ != nullptr);
}

void ParameterSearch::look_at_segment(std::size_t index) {
  if (algorithm_.is_mapped()) {
    look_at_mapped(sizes_[index]);
  } else {
    look(with_segment(index));
  }
}

void ParameterSearch::look_at_mapped(Bytes segment) {
  const Bytes message = segment > 0 ? segment : request_.count * request_.element_bytes;
  Parameters parameters = variants(request_, algorithm_, model_, segment, Effort::usual).front();
  parameters.segment_bytes = segment;
  const auto look_at_radices = [&] {
    parameters.radix = 0;
    look(parameters);
    if (algorithm_.least_radix >= 2 || segment > 0) return;
    parameters.radix = algorithm_.least_radix;
    look(parameters);
  };
  for (MappedTrees& trees : trees_for(judged_, algorithm_, model_, *hierarchy_, message)) {
    parameters.trees = std::move(trees);
    look_at_radices();
  }
  for (NestedGroups& groups : groups_for(judged_, algorithm_, model_, *hierarchy_)) {
    parameters.groups = std::move(groups);
    look_at_radices();
  }
}

// All radices from the number of leaders, or of clusters, on are equivalent.
int ParameterSearch::heeded_radix(int radix, const Parameters& mapped) const {
  std::size_t most = 0;
  if (algorithm_.follows_leaders() && !mapped.trees.empty()) {
    for (const MappedTrees::Weighted& each : mapped.trees.all()) most = std::max(most, each.tree.roots().size());
  } else if (algorithm_.follows_groups() && !mapped.groups.empty()) {
    most = mapped.groups.partitions().front().size();
  } else {
    return radix;
  }
  const auto all_at_once = [most](int of) { return of >= 2 && static_cast<std::size_t>(of) >= most; };
  return all_at_once(radix) && all_at_once(algorithm_.radix) ? 0 : radix;
}

void ParameterSearch::begin(int stage) {
  if (!races()) return;
  if (stage == 0) look_at_segment(0);
  // Of the two lengths for blocks, the longer first.
  if (stage == 1 && sizes_.size() > 1) look_at_segment((sizes_.size() + (cuts_blocks_ ? 0 : 1)) / 2);
  if (stage == 2 && algorithm_.is_mapped() && sizes_.size() > (cuts_blocks_ ? 2 : 3))
    look_at_segment(sizes_.size() * 3 / 4);
}

void ParameterSearch::look_around(Effort effort, int confirmed) {
  const Parameters around = best_parameters();
  for (Parameters other : variants(request_, algorithm_, model_, around.segment_bytes, effort)) {
    other.segment_bytes = around.segment_bytes;
    other.trees = around.trees;
    other.groups = around.groups;
    other.radix = heeded_radix(other.radix, around);
    look(std::move(other));
  }
  for (int i = 0; i < confirmed && promise() < best(); ++i) confirm();
}

void ParameterSearch::refine(Effort effort) {
  if (seen_.empty()) return;
  const auto at = [this] {
    return static_cast<std::size_t>(std::find(sizes_.begin(), sizes_.end(), best_parameters().segment_bytes) -
                                    sizes_.begin());
  };
  for (const int step : {1, -1}) {
    for (std::size_t from = at();; from = at()) {
      const std::size_t next = from + static_cast<std::size_t>(step);  // wraps around below 0, beyond the end
      if (next >= sizes_.size()) break;
      const Picoseconds before = best();
      const Picoseconds after = confirm(seen(with_segment(next)));
      // A small gain does not justify twice as many messages, each of which has costs outside every model.
      if (after >= before || (step > 0 && before - after < before / worth_more_segments)) break;
    }
  }
  look_around(effort, effort == Effort::thorough ? 8 : 2);
}

// For a search ahead of time, so it may take long: about `most_messages` simulated messages.
void ParameterSearch::swap_ranks() {
  if (!algorithm_.follows_rooted_trees() || seen_.empty() || best() == never) return;
  const Parameters before = best_parameters();
  if (before.trees.size() != 1) return;
  constexpr std::int64_t most_messages = std::int64_t{1} << 19;
  const Bytes vector = request_.count * request_.element_bytes;
  const std::int64_t segments = before.segment_bytes > 0 ? 1 + vector / before.segment_bytes : 1;
  const auto predictions = std::min<std::int64_t>(most_messages / request_.ranks / segments, 100);
  const Plan plan(judged_, algorithm_, before);
  Parameters after = with_ranks_swapped(plan, model_, static_cast<int>(predictions)).parameters();
  if (after.trees == before.trees || after.trees.tree(0) == before.trees.tree(0)) return;
  after.trees = MappedTrees(before.trees.name() + ", ranks swapped", after.trees.all());
  if (algorithm_.heeds(Parameter::segment_bytes)) after.trees = with_long_links(after.trees, model_);
  confirm(seen(std::move(after)));
}

void ParameterSearch::all() {
  if (!races()) return;
  for (std::size_t size = 0; size < sizes_.size(); ++size) look_at_segment(size);
  confirm();
  Picoseconds before = never;
  for (int round = 0; round < 3 && best() < before; ++round) {
    before = best();
    refine(Effort::thorough);
  }
  swap_ranks();
}

// The number of algorithms to refine, the fastest by their first looks.
constexpr std::size_t most_refined = 2;

// Returns the searches of all algorithms but baselines, in the order of algorithms.def.
std::vector<ParameterSearch> explorations(const Request& request, const ModelFor& model_for,
                                          const PlatformKnowledge& knowledge, SearchState& search) {
  std::vector<ParameterSearch> all;
  for (const Algorithm* algorithm : algorithms_for(request)) {
    if (algorithm->baseline) continue;
    all.emplace_back(*algorithm, request, model_for(request.with_in_place(false), *algorithm), knowledge, search);
  }
  return all;
}

void look_around(std::vector<ParameterSearch>& all) {
  for (int stage = 0; stage < ParameterSearch::stages; ++stage) {
    // Mapped algorithms first, in case the budget does not suffice for all.
    for (const bool mapped : {true, false}) {
      for (ParameterSearch& each : all) {
        if (each.algorithm().is_mapped() == mapped) each.begin(stage);
      }
    }
  }
}

// Keeps algorithms that forward blocks only if a prediction of direct sends exists to compare with; a direct alltoall
// too large to predict is no reason to forward.
std::vector<ParameterSearch*> well_founded(std::vector<ParameterSearch>& all) {
  const bool sees_direct = std::any_of(all.begin(), all.end(), [](const ParameterSearch& each) {
    return !each.algorithm().all_counts && each.promise() < never;
  });
  std::vector<ParameterSearch*> founded;
  for (ParameterSearch& each : all) {
    if (sees_direct || !each.algorithm().all_counts) founded.push_back(&each);
  }
  return founded;
}

void look_closely(std::vector<ParameterSearch*> order, SearchState& search) {
  search.look_closely();
  // choose() skips algorithms whose quick time, a lower bound, exceeds the best beyond the tolerance.
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->promise() < b->promise(); });
  for (ParameterSearch* each : order) {
    if (!search.to_first() || each->promise() <= search.alike_fastest()) each->confirm();
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->best() < b->best(); });
  for (std::size_t i = 0; i < std::min(most_refined, order.size()); ++i)
    if (order[i]->best() < never) order[i]->refine();
}

bool faster(const Candidate& a, const Candidate& b) {
  return a.predicted < b.predicted;
}

// Quick times are too optimistic to compare with confirmed ones: such candidates count only if nothing is confirmed,
// and follow the confirmed ones otherwise.
std::vector<Candidate> ranked(const std::vector<ParameterSearch*>& raced) {
  const bool any = std::any_of(raced.begin(), raced.end(), [](const auto* each) { return each->best() < never; });
  std::vector<Candidate> all;
  std::vector<Candidate> others;
  for (const ParameterSearch* each : raced) {
    std::vector<Candidate>& to = any && each->best() == never ? others : all;
    for (Candidate& candidate : each->found()) to.push_back(std::move(candidate));
  }
  const Picoseconds best = std::min_element(all.begin(), all.end(), faster)->predicted;
  const auto simplest = std::find_if(
      all.begin(), all.end(), [best](const Candidate& c) { return c.predicted - best <= best / SearchState::alike; });
  std::iter_swap(all.begin(), simplest);
  for (Candidate& candidate : others) all.push_back(std::move(candidate));
  std::stable_sort(all.begin() + 1, all.end(), faster);
  return all;
}

std::vector<Candidate> search_known(const Request& request, const ModelFor& model_for,
                                    const PlatformKnowledge& knowledge, SearchState::To to) {
  SearchState search(to);
  std::vector<ParameterSearch> explored = explorations(request, model_for, knowledge, search);
  look_around(explored);
  const std::vector<ParameterSearch*> raced = well_founded(explored);
  look_closely(raced, search);
  return ranked(raced);
}

// An algorithm that learns counts must be this many times as fast as direct messages where all blocks are equal: then
// it is no slower where only one in so many ranks has a block.
constexpr Picoseconds gain_of_learning = 2;
constexpr Bytes most_learned = Bytes{1} << 40;  // of all blocks

// The plan of a request with counts as in MPI, from what all ranks know: the fastest algorithm that learns the counts
// of blocks of one element, up to the largest size of equal blocks that it gains enough for; above, and without such a
// size, direct messages.
Plan search_for_any_counts(const Request& request, const ModelFor& model_for, const PlatformKnowledge& knowledge) {
  const std::vector<const Algorithm*> algorithms = algorithms_for(request);
  const Algorithm& direct = **std::find_if(algorithms.begin(), algorithms.end(),
                                           [](const Algorithm* algorithm) { return algorithm->learn == nullptr; });
  Plan plan(request, direct);
  if (sizes(request.operation) != Sizes::blocks || request.ranks == 1 || request.element_bytes == 0) return plan;
  Request equal = request.known_to_all();
  const Plan learning = search_known(equal, model_for, knowledge, SearchState::To::first).front().plan;
  if (learning.algorithm().learn == nullptr) return plan;
  const std::int64_t most = most_learned / request.element_bytes / request.ranks;
  for (std::int64_t count = 1; count <= most; count *= 2) {
    equal.blocks = Blocks::equal(request.ranks, count);
    SearchState alone;
    ParameterSearch directly(direct, equal, model_for(equal, direct), knowledge, alone);
    directly.begin(0);
    directly.confirm();
    const Picoseconds learned =
        pipeline_time(Plan(equal, learning.algorithm(), learning.parameters()), model_for(equal, learning.algorithm()));
    if (directly.best() == never || learned > directly.best() / gain_of_learning) break;
    Parameters parameters = learning.parameters();
    parameters.direct_above = count * request.element_bytes;
    plan = Plan(request, learning.algorithm(), std::move(parameters));
  }
  return plan;
}

std::vector<Candidate> search(const Request& request, const ModelFor& model_for, const PlatformKnowledge& knowledge,
                              SearchState::To to) {
  if (request.knowledge == Knowledge::as_in_mpi) return {{search_for_any_counts(request, model_for, knowledge), 0}};
  return search_known(request, model_for, knowledge, to);
}

}  // namespace

std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request, const Model& model,
                                     const PlatformKnowledge& knowledge) {
  SearchState alone;
  ParameterSearch exploration(algorithm, request, model, knowledge, alone);
  exploration.all();
  return exploration.found();
}

std::vector<Candidate> candidates(const Request& request, const ModelFor& model_for,
                                  const PlatformKnowledge& knowledge) {
  return search(request, model_for, knowledge, SearchState::To::all);
}

Candidate choose(const Request& request, const ModelFor& model_for, const PlatformKnowledge& knowledge) {
  return search(request, model_for, knowledge, SearchState::To::first).front();
}

void check_within_time(const std::vector<Candidate>& candidates) {
  if (candidates.empty() || candidates.front().predicted < never) return;
  throw Error(fmt::format("{} is predicted to take more than {:.4g} s, beyond which times are not told apart",
                          candidates.front().plan.describe(), seconds(never)),
              "plan for fewer bytes, or faster links");
}

}  // namespace tombolo
