#include <algorithm>

#include <tombolo/collectives/crowding.hpp>
#include <tombolo/collectives/exploration.hpp>
#include <tombolo/collectives/mapping/local_search.hpp>
#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>

namespace tombolo {

namespace {

constexpr Picoseconds worth_more_segments = 32;
constexpr Picoseconds doubt = 10;
// Fewer than these: where all ranks get all blocks, messages are as many as ranks squared times that.
constexpr Bytes segments_of_block = 5;

}  // namespace

Exploration::Exploration(const Algorithm& algorithm, const Request& request, const Model& model, const Terrain& terrain,
                         Race& race)
    : algorithm_(algorithm),
      request_(request),
      judged_(request.with_in_place(false)),
      model_(model),
      landscape_(terrain.landscape),
      race_(&race),
      sizes_{0} {
  // Only the root knows whether it works in place, so that must not decide what all ranks choose.
  if (terrain.thresholds != nullptr) throttle_ = throttle_for(*terrain.thresholds, judged_);
  if (throttle_ && &algorithm == &gatherv_flat) escalation_ = throttle_->escalation;
  if (&algorithm == &alltoallv_direct) crowding_ = terrain.crowding;
  if (!algorithm.segments) return;
  // Trees that share a vector out get a segment each at least.
  const std::int64_t parts = algorithm.period == nullptr ? 1 : std::max(algorithm.period(request, {}), 1);
  cuts_blocks_ = parts > 1 && sizes(request.operation) == Sizes::blocks && request.blocks.all_known();
  const Bytes most = (cuts_blocks_ ? request.blocks.total() : request.count) * request.element_bytes / parts;
  for (const Bytes segment : segment_sizes(request, algorithm, model)) {
    if (!cuts_blocks_) {
      if (parts == 1 || segment <= most) sizes_.push_back(segment);
    } else if (segment < most && segment > most / segments_of_block) {
      // All as long as the last one; of two that are alike the shorter, which may be eager.
      const Bytes segments = (most + segment - 1) / segment;
      const Bytes equal = (most + segments - 1) / segments;
      if (sizes_.back() > 0 && sizes_.back() / 4 * 3 <= equal) sizes_.pop_back();
      sizes_.push_back(equal);
    }
  }
}

std::vector<Candidate> Exploration::found() const {
  std::vector<Candidate> found;
  const bool any = best() < never;
  for (const Seen& each : seen_) {
    if (any && each.confirmed == never) continue;
    found.push_back({each.plan, any ? each.confirmed : each.quick});
  }
  return found;
}

Picoseconds Exploration::best() const {
  Picoseconds best = never;
  for (const Seen& each : seen_) best = std::min(best, each.confirmed);
  return best;
}

Picoseconds Exploration::promise() const {
  Picoseconds best = never;
  for (const Seen& each : seen_) {
    if (each.confirmed == never) best = std::min(best, each.quick);
  }
  return best;
}

const Parameters& Exploration::best_parameters() const {
  const auto faster = [](const Seen& a, const Seen& b) {
    return std::pair(a.confirmed, a.quick) < std::pair(b.confirmed, b.quick);
  };
  return std::min_element(seen_.begin(), seen_.end(), faster)->plan.parameters();
}

Exploration::Seen& Exploration::seen(Parameters parameters) {
  if (algorithm_.throttles) parameters.window = throttle_->window;
  for (Seen& before : seen_) {
    if (before.plan.parameters() == parameters) return before;
  }
  seen_.push_back({.plan = Plan(request_, algorithm_, std::move(parameters))});
  return seen_.back();
}

Picoseconds Exploration::predict(const Plan& plan, Look look) {
  const Parameters& parameters = plan.parameters();
  if (crowding_ != nullptr) look.limit = never;  // for what contention adds
  const Picoseconds simulated = race_->predict(Plan(judged_, algorithm_, parameters), model_, look);
  return crowding_ == nullptr ? plus(simulated, escalation_) : crowded(parameters, simulated);
}

// Contention is a matter of messages that meet: what it adds grows with their number. All at once is looked at first.
Picoseconds Exploration::crowded(const Parameters& parameters, Picoseconds simulated) {
  const int all = std::max(request_.ranks - 1, 1);
  const int under_way = parameters.window == 0 ? all : std::min(parameters.window, all);
  if (under_way == all && parameters.segment_bytes == 0) {
    if (simulated == never) simulated = crowding_->direct(judged_, model_).value_or(never);
    contention_ = std::max<Picoseconds>(crowding_->measured(judged_).value_or(0) - simulated, 0);
  }
  return plus(simulated, forms::scaled(contention_, under_way, all));
}

// What was given up takes longer than the limit; what is too large to be looked at is `never`.
Picoseconds Exploration::at_least(const Plan& plan, const Look& look) {
  const Picoseconds predicted = predict(plan, look);
  return predicted == never && race_->gave_up() ? plus(look.limit, 1) : predicted;
}

void Exploration::look(Parameters parameters) {
  Seen& here = seen(std::move(parameters));
  if (here.quick != never) return;
  here.quick = at_least(here.plan, race_->quick_look());
  race_->looked(here.quick);
}

Picoseconds Exploration::confirm(Seen& here) {
  if (here.confirmed != never) return here.confirmed;
  here.confirmed = at_least(here.plan, race_->close_look(best()));
  // Too dear to be confirmed: then what a quick look says, which is too good by some.
  if (here.confirmed == never && here.quick < never && here.plan.parameters().segment_bytes == 0) {
    here.confirmed = plus(here.quick, here.quick / doubt);
  }
  race_->confirmed(here.confirmed);
  return here.confirmed;
}

void Exploration::confirm() {
  Seen* most = nullptr;
  for (Seen& each : seen_) {
    if (each.confirmed == never && each.quick < never && (most == nullptr || each.quick < most->quick)) most = &each;
  }
  if (most != nullptr) confirm(*most);
}

Parameters Exploration::with_segment(std::size_t index) const {
  const Parameters usual = variants(request_, algorithm_, model_, sizes_[index], Effort::usual).front();
  Parameters parameters = seen_.empty() ? usual : best_parameters();
  parameters.segment_bytes = sizes_[index];
  if (parameters.lanes == Lanes::per_link) parameters.window = usual.window;
  return parameters;
}

bool Exploration::races() const {
  return (!algorithm_.throttles || throttle_) && (!algorithm_.mapped || landscape_ != nullptr);
}

void Exploration::look_at_segment(std::size_t index) {
  if (algorithm_.mapped) {
    look_at_trees(sizes_[index]);
  } else {
    look(with_segment(index));
  }
}

void Exploration::look_at_trees(Bytes segment) {
  const Bytes message = segment > 0 ? segment : request_.count * request_.element_bytes;
  Parameters parameters = variants(request_, algorithm_, model_, segment, Effort::usual).front();
  parameters.segment_bytes = segment;
  for (MappedTrees& trees : trees_for(judged_, algorithm_, model_, *landscape_, message)) {
    parameters.trees = std::move(trees);
    parameters.radix = 0;
    look(parameters);
    if (algorithm_.least_radix >= 2 || segment > 0) continue;
    parameters.radix = algorithm_.least_radix;
    look(parameters);
  }
}

// Beyond the number of tops all radices are one.
int Exploration::heeded_radix(int radix, const MappedTrees& trees) const {
  if (!algorithm_.several_tops || trees.empty()) return radix;
  std::size_t most = 0;
  for (const MappedTrees::Weighted& each : trees.all()) most = std::max(most, each.tree.tops().size());
  const auto all_at_once = [most](int of) { return of >= 2 && static_cast<std::size_t>(of) >= most; };
  return all_at_once(radix) && all_at_once(algorithm_.radix) ? 0 : radix;
}

void Exploration::begin(int stage) {
  if (!races()) return;
  if (stage == 0) look_at_segment(0);
  // Of two lengths for blocks the longer one, then the other.
  if (stage == 1 && sizes_.size() > 1) look_at_segment((sizes_.size() + (cuts_blocks_ ? 0 : 1)) / 2);
  if (stage == 2 && algorithm_.mapped && sizes_.size() > (cuts_blocks_ ? 2 : 3)) look_at_segment(sizes_.size() * 3 / 4);
}

void Exploration::look_around(Effort effort, int confirmed) {
  const Bytes segment = best_parameters().segment_bytes;
  const MappedTrees trees = best_parameters().trees;
  for (Parameters other : variants(request_, algorithm_, model_, segment, effort)) {
    other.segment_bytes = segment;
    other.trees = trees;
    other.radix = heeded_radix(other.radix, trees);
    look(std::move(other));
  }
  for (int i = 0; i < confirmed && promise() < best(); ++i) confirm();
}

void Exploration::refine(Effort effort) {
  if (seen_.empty()) return;
  const auto at = [this] {
    return static_cast<std::size_t>(std::find(sizes_.begin(), sizes_.end(), best_parameters().segment_bytes) -
                                    sizes_.begin());
  };
  for (const int step : {1, -1}) {
    for (std::size_t from = at();; from = at()) {
      const std::size_t next = from + static_cast<std::size_t>(step);  // below 0 is beyond the end
      if (next >= sizes_.size()) break;
      const Picoseconds before = best();
      const Picoseconds after = confirm(seen(with_segment(next)));
      // Twice as many messages for little is no gain: each costs what no model knows of.
      if (after >= before || (step > 0 && before - after < before / worth_more_segments)) break;
    }
  }
  look_around(effort, effort == Effort::thorough ? 8 : 2);
}

// Ahead of time, so that it may take long: as many predictions as simulate about so many messages.
void Exploration::swap_ranks() {
  if (!algorithm_.mapped || algorithm_.several_tops || seen_.empty() || best() == never) return;
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
  if (algorithm_.segments) after.trees = with_long_links(after.trees, model_);
  confirm(seen(std::move(after)));
}

void Exploration::all() {
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

}  // namespace tombolo
