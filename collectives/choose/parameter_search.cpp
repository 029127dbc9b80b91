#include <algorithm>

#include <tombolo/collectives/calibrate/contention.hpp>
#include <tombolo/collectives/choose/parameter_search.hpp>
#include <tombolo/collectives/mapping/detours_for.hpp>
#include <tombolo/collectives/mapping/groups_for.hpp>
#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/mapping/swapped_ranks.hpp>

namespace tombolo {

namespace {

constexpr Picoseconds worth_more_segments = 32;
constexpr Picoseconds doubt = 10;
// Close looks at settings around the best one.
constexpr int few_confirmed = 2;
constexpr int most_confirmed = 8;
// Upper bound. With all blocks on all ranks, the number of messages is the square of the ranks times the segments of a
// block.
constexpr Bytes segments_of_block = 5;
// Of a port of a switch.
constexpr Bytes buffered = Bytes{256} * 1024;
// The window of ranks whose sends wait for the receives of the round before.
constexpr int paced_window = 4;
// Beyond so many ranks a simulation of all rounds takes longer than the drift is worth.
constexpr int most_ranks_to_pace = 1024;

// The most leaders of a tree.
std::size_t leaders_of(const Parameters& mapped) {
  if (mapped.trees.empty()) return 0;
  std::size_t most = 0;
  for (const MappedTrees::Weighted& each : mapped.trees.all()) most = std::max(most, each.tree.roots().size());
  return most;
}

}  // namespace

bool floods_a_port(const Plan& plan) {
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  const bool paced = parameters.window > 0 && parameters.channels == Channels::per_rank;
  if (!plan.algorithm().floods || paced || request.element_bytes == 0) return false;
  return largest_part(request) > buffered / request.element_bytes / std::max(request.ranks - 1, 1);
}

ParameterSearch::ParameterSearch(const Algorithm& algorithm, const Request& request, const Model& model,
                                 const PlatformKnowledge& knowledge, SearchState& search, Trees trees)
    : algorithm_(algorithm),
      request_(request),
      judged_(request.with_in_place(false)),
      model_(model),
      hierarchy_(knowledge.hierarchy),
      orders_(!knowledge.hosts.empty()),
      links_(knowledge.links),
      detours_(knowledge.detours),
      search_(&search),
      trees_(trees),
      sizes_{0} {
  if (knowledge.model_within) {
    model_within_ = [&request, &knowledge](const std::vector<Rank>& ranks) -> const Model& {
      return knowledge.model_within(request, ranks);
    };
  }
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
    if (any && (each.confirmed == never || each.stopped)) continue;
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
  return std::ranges::min_element(seen_, faster)->plan.parameters();
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
  return alltoall_contention_ == nullptr ? plus(simulated, escalation_) : with_contention(parameters, simulated);
}

// Contention grows with the number of messages in flight. The first setting evaluated has all of them in flight.
Picoseconds ParameterSearch::with_contention(const Parameters& parameters, Picoseconds simulated) {
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

void ParameterSearch::take_detours() {
  if (!detours_ || best() == never) return;
  std::vector<Parameters> without{best_parameters()};
  if (without.front().channels == Channels::per_rank) {
    // What costs nothing over direct ways may hold messages up at relays.
    Parameters unpaced = without.front();
    unpaced.window = 0;
    unpaced.channels = Channels::per_link;
    without.push_back(std::move(unpaced));
  }
  for (const Parameters& each : without) {
    const Plan direct(judged_, algorithm_, each);
    if (each.segment_bytes == 0 && !search_->affords_detours(direct)) return;
    for (Detours& detours : detours_for(direct, *links_)) {
      Parameters parameters = each;
      parameters.detours = std::move(detours);
      confirm(seen(std::move(parameters)));
    }
  }
}

Picoseconds ParameterSearch::confirm(Evaluation& here) {
  if (here.confirmed != never) return here.confirmed;
  here.confirmed = at_least(here.plan, search_->close_look(best()));
  here.stopped = search_->gave_up();
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

bool ParameterSearch::takes_part() const {
  return (!algorithm_.throttles || throttle_) && (!algorithm_.is_mapped() || hierarchy_ != nullptr);
}

void ParameterSearch::look_at_segment(std::size_t index) {
  if (algorithm_.is_mapped()) {
    look_at_mapped(sizes_[index]);
  } else {
    look(with_segment(index));
  }
}

// Blocks cut such that no message waits for its receive, in windows that cover the latency: where links are long that
// gains much at once, and segments of twice the length gain nothing.
void ParameterSearch::look_at_eager() {
  if (request_.ranks < 2 || sizes(request_.operation) != Sizes::blocks || !is_rooted(request_.operation)) return;
  const auto found = std::ranges::find(sizes_, eager_segment(model_));
  if (found == sizes_.end() || *found == 0) return;
  if (algorithm_.is_mapped()) {
    look_at_mapped(*found, window(request_, model_, *found));
  } else {
    look_at_segment(static_cast<std::size_t>(found - sizes_.begin()));
  }
}

// The segment that fills the pipeline best, or the next longer one.
void ParameterSearch::look_at_filling() {
  const Bytes filling = filling_segment(request_, algorithm_, model_);
  const auto longer = [filling](Bytes size) { return size >= filling; };
  const auto found = filling == 0 ? sizes_.rend() : std::ranges::find_if(sizes_.rbegin(), sizes_.rend(), longer);
  const std::size_t at = found == sizes_.rend() ? 0 : static_cast<std::size_t>(sizes_.rend() - found) - 1;
  if (!paces()) {
    look_at_segment(at);
    return;
  }
  for (Parameters& each : with_paces(at)) look(std::move(each));
}

void ParameterSearch::look_at_order() {
  if (!orders_ || hierarchy_ == nullptr || seen_.empty()) return;
  Parameters parameters = best_parameters();
  parameters.order = order_of_groups(request_, algorithm_.near, *hierarchy_);
  if (!parameters.order.empty()) look(std::move(parameters));
}

// In rounds over equal links the number of segments and the order of messages at a port decide how far ranks drift
// apart (bcast/circulant.cpp).
bool ParameterSearch::paces() const {
  return request_.ranks <= most_ranks_to_pace && algorithm_.filling != nullptr &&
         algorithm_.heeds(Parameter::channels) && sizes(request_.operation) == Sizes::vector && model_.is_uniform();
}

// A segment size with the usual window, and with a window per rank, if that has an effect.
std::vector<Parameters> ParameterSearch::with_paces(std::size_t index) const {
  std::vector<Parameters> all{with_segment(index)};
  if (!paces()) return all;
  all = {variants(request_, algorithm_, model_, sizes_[index], Effort::usual).front()};
  all.push_back(all.front());
  all.back().window = paced_window;
  all.back().channels = Channels::per_rank;
  for (Parameters& each : all) each.segment_bytes = sizes_[index];
  return all;
}

void ParameterSearch::look_at_mapped(Bytes segment, std::optional<int> window) {
  const Bytes message = segment > 0 ? segment : request_.count * request_.element_bytes;
  Parameters parameters = variants(request_, algorithm_, model_, segment, Effort::usual).front();
  parameters.segment_bytes = segment;
  parameters.window = window.value_or(parameters.window);
  const auto look_at_radices = [&] {
    parameters.radix = 0;
    look(parameters);
    if (segment > 0) return;
    // One round instead of several halves the time where long links take nearly all of it.
    const auto leaders = static_cast<int>(leaders_of(parameters));
    const bool meet =
        algorithm_.follows_leaders() && algorithm_.radix > 0 && sizes(request_.operation) != Sizes::blocks;
    if (meet && leaders > algorithm_.radix) {
      parameters.radix = leaders;
      look(parameters);
    }
    if (algorithm_.least_radix >= 2) return;
    parameters.radix = algorithm_.least_radix;
    look(parameters);
  };
  for (MappedTrees& trees : trees_ == Trees::sharing_links
                                ? link_sharing_trees_for(judged_, algorithm_, model_, *hierarchy_, *links_)
                                : trees_for(judged_, algorithm_, model_, *hierarchy_, message, model_within_)) {
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
    most = leaders_of(mapped);
  } else if (algorithm_.follows_groups() && !mapped.groups.empty()) {
    most = mapped.groups.partitions().front().size();
  } else {
    return radix;
  }
  const auto all_at_once = [most](int of) { return of >= 2 && static_cast<std::size_t>(of) >= most; };
  if (!all_at_once(radix)) return radix;
  return all_at_once(algorithm_.radix) ? 0 : static_cast<int>(most);
}

void ParameterSearch::begin(int stage) {
  if (!takes_part()) return;
  if (algorithm_.filling != nullptr) {
    if (stage == 0) look_at_filling();
    return;
  }
  if (stage == 0) look_at_segment(0);
  if (stage == 1) look_at_eager();
  // Of the two lengths for blocks, the longer first.
  if (stage == 1 && sizes_.size() > 1) look_at_segment((sizes_.size() + (cuts_blocks_ ? 0 : 1)) / 2);
  if (stage == 2 && algorithm_.is_mapped() && sizes_.size() > (cuts_blocks_ ? 2 : 3))
    look_at_segment(sizes_.size() * 3 / 4);
}

void ParameterSearch::look_around(Effort effort) {
  const Parameters around = best_parameters();
  for (Parameters other : variants(request_, algorithm_, model_, around.segment_bytes, effort)) {
    other.segment_bytes = around.segment_bytes;
    other.order = around.order;
    other.trees = around.trees;
    other.groups = around.groups;
    other.detours = around.detours;
    other.radix = heeded_radix(other.radix, around);
    look(std::move(other));
  }
  // Where quick looks promise much more than is confirmed, they do not tell trees apart.
  const auto promises_much = [this] { return search_->cheap() && plus(promise(), promise() / doubt) < best(); };
  for (int i = 0; i < most_confirmed && promise() < best(); ++i) {
    if (i >= few_confirmed && effort != Effort::thorough && !promises_much()) return;
    confirm();
  }
}

void ParameterSearch::look_at_paced() {
  constexpr std::size_t most = 2;
  if (best() == never || !floods_a_port(Plan(judged_, algorithm_, best_parameters()))) return;
  const Picoseconds alike = alike_to(best());
  std::vector<Evaluation*> paced;
  for (Evaluation& each : seen_) {
    if (each.quick <= alike && !floods_a_port(each.plan)) paced.push_back(&each);
  }
  std::ranges::stable_sort(paced, {}, &Evaluation::quick);
  if (paced.size() > most) paced.resize(most);
  for (Evaluation* each : paced) {
    if (confirm(*each) <= alike) break;
  }
}

void ParameterSearch::refine(Effort effort) {
  if (seen_.empty()) return;
  const auto at = [this] {
    return static_cast<std::size_t>(std::ranges::find(sizes_, best_parameters().segment_bytes) - sizes_.begin());
  };
  if (paces()) {
    // Of the numbers of segments near the best some have ranks that drift apart, in no order.
    constexpr std::size_t near = 3;
    const std::size_t middle = at();
    for (std::size_t i = middle - std::min(near, middle); i < std::min(middle + near + 1, sizes_.size()); ++i) {
      for (Parameters& each : with_paces(i)) confirm(seen(std::move(each)));
    }
  }
  for (const int step : {1, -1}) {
    for (std::size_t from = at();; from = at()) {
      const std::size_t next = from + static_cast<std::size_t>(step);  // wraps around below 0, beyond the end
      if (next >= sizes_.size()) break;
      const Picoseconds before = best();
      Picoseconds after = never;
      for (Parameters& each : with_paces(next)) after = std::min(after, confirm(seen(std::move(each))));
      // A small gain does not justify twice as many messages, each of which has costs outside every model.
      if (after >= before || (step > 0 && before - after < before / worth_more_segments)) break;
    }
  }
  look_around(effort);
  look_at_paced();
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
  if (!takes_part()) return;
  for (std::size_t size = 0; size < sizes_.size(); ++size) {
    look_at_segment(size);
  }
  look_at_order();
  confirm();
  Picoseconds before = never;
  for (int round = 0; round < 3 && best() < before; ++round) {
    before = best();
    refine(Effort::thorough);
  }
  swap_ranks();
  take_detours();
}

}  // namespace tombolo
