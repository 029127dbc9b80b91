#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/parameter_search.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// The number of algorithms to refine whatever it costs, the fastest by their first looks; others, up to this multiple
// of the fastest one's time, while refining is cheap: a barrier's best radix may halve its time.
constexpr std::size_t most_refined = 2;
constexpr Picoseconds worth_refining = 2;
// The number of algorithms of a round whose messages may take detours, the fastest without. Those of the first of
// algorithms.def may too, also if it was given up: with a root it sends directly, and gains most over thin links.
constexpr std::size_t most_with_detours = 3;

// Returns the searches of all algorithms but baselines, in the order of algorithms.def; those over trees that share out
// links follow.
std::vector<ParameterSearch> parameter_searches(const Request& request, const ModelFor& model_for,
                                                const PlatformKnowledge& knowledge, SearchState& search) {
  std::vector<ParameterSearch> all;
  for (const Algorithm* algorithm : algorithms_for(request)) {
    if (algorithm->baseline || (knowledge.same_bits && algorithm->ranks_differ)) continue;
    all.emplace_back(*algorithm, request, model_for(request.with_in_place(false), *algorithm), knowledge, search);
  }
  for (const Algorithm* algorithm : algorithms_for(request)) {
    if (!may_share_links(*algorithm, knowledge.links)) continue;
    all.emplace_back(*algorithm, request, model_for(request.with_in_place(false), *algorithm), knowledge, search,
                     ParameterSearch::Trees::sharing_links);
  }
  return all;
}

void look_around(const std::vector<ParameterSearch*>& all, SearchState& search) {
  for (int stage = 0; stage < ParameterSearch::stages; ++stage) {
    // Mapped algorithms first, in case the budget does not suffice for all.
    for (const bool mapped : {true, false}) {
      for (ParameterSearch* each : all) {
        if (each->algorithm().is_mapped() == mapped) each->begin(stage);
      }
    }
  }
  // With a budget of their own: what is found without them is found anyway.
  search.begin_orders();
  for (ParameterSearch* each : all) each->look_at_order();
  search.end_orders();
}

// Keeps algorithms that forward blocks only if a prediction of direct sends exists to compare with; a direct alltoall
// too large to predict is no reason to forward.
std::vector<ParameterSearch*> well_founded(const std::vector<ParameterSearch*>& all) {
  const bool sees_direct = std::ranges::any_of(
      all, [](const ParameterSearch* each) { return !each->algorithm().all_counts && each->promise() < never; });
  std::vector<ParameterSearch*> founded;
  for (ParameterSearch* each : all) {
    if (sees_direct || !each->algorithm().all_counts) founded.push_back(each);
  }
  return founded;
}

void look_closely(std::vector<ParameterSearch*> order, SearchState& search) {
  search.look_closely();
  // choose() skips algorithms whose quick time, a lower bound, exceeds the best beyond the tolerance.
  std::ranges::stable_sort(order, {}, &ParameterSearch::promise);
  for (ParameterSearch* each : order) {
    if (!search.to_first() || each->promise() <= search.alike_fastest()) each->confirm();
  }
  std::ranges::stable_sort(order, {}, &ParameterSearch::best);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ParameterSearch& each = *order[i];
    const bool one_of_best = i < most_refined && each.best() < never;
    if (!one_of_best) {
      if (!search.cheap()) break;
      if (std::min(each.best(), each.promise()) / worth_refining > search.fastest()) continue;
      if (each.best() == never) each.confirm();
    }
    if (each.best() < never) each.refine();
  }
}

// The searches in rounds, each with a budget of its own, so that none loses what it would find alone: those whose
// predictions use up a budget in which a chain or ring is found, scans over trees and allgathers over circulant graphs,
// have a round after the others, trees that share out links the last.
std::vector<std::vector<ParameterSearch*>> rounds_of(std::vector<ParameterSearch>& all) {
  std::vector<std::vector<ParameterSearch*>> rounds(3);
  for (ParameterSearch& each : all) {
    const Algorithm& algorithm = each.algorithm();
    const bool scans = algorithm.operation == Operation::scan || algorithm.operation == Operation::exscan;
    const bool shares_links = each.trees() == ParameterSearch::Trees::sharing_links;
    const bool is_costly = (scans && algorithm.is_mapped()) || &algorithm == &allgatherv_circulant;
    rounds[shares_links ? 2 : is_costly ? 1 : 0].push_back(&each);
  }
  std::erase_if(rounds, [](const std::vector<ParameterSearch*>& round) { return round.empty(); });
  return rounds;
}

// Last, with a budget of its own: on a platform with detours, what is found without them is what it would be anyway.
void look_at_detours(std::vector<ParameterSearch*> order, SearchState& search) {
  search.look_at_detours();
  ParameterSearch* const first = order.front();
  if (first->best() == never) first->confirm();
  std::ranges::stable_sort(order, {}, &ParameterSearch::best);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < most_with_detours || order[i] == first) order[i]->take_detours();
  }
}

// The most steps that are listed to compare what one choice's candidates send.
constexpr std::int64_t most_counted = std::int64_t{1} << 16;

// What plans predicted alike are compared by, in this order.
struct Sent {
  std::int64_t elements = 0;  // of all messages; not counted where hosts have several ranks
  std::int64_t messages = 0;  // there: between hosts
  auto operator<=>(const Sent&) const = default;
};

// Returns what all ranks of a plan send; `most` if it is no less, or if what it takes to list exceeds `budget`, from
// which that is taken: the steps, and a part of the blocks that each rank looks through for them. `hosts` as in
// PlatformKnowledge.
Sent sent_by(const Plan& of, const std::vector<int>& hosts, const Sent& most, std::int64_t& budget) {
  // Only the root knows whether it works in place, and has fewer steps then.
  const Plan plan(of.request().with_in_place(false), of.algorithm(), of.parameters());
  constexpr int blocks_as_a_step = 8;
  const Sizes form = sizes(of.request().operation);
  const bool of_blocks = form == Sizes::blocks || form == Sizes::exchange;
  Sent all;
  for (Rank rank = 0; rank < plan.request().ranks; ++rank) {
    if (budget < 0 || all >= most) return most;
    const Schedule schedule = plan.direct(rank, plan.request());
    budget -= schedule.size() + (of_blocks ? plan.request().ranks / blocks_as_a_step : 0);
    for (StepId id = 0; id < schedule.size(); ++id) {
      const Step& step = schedule.step(id);
      const auto host = [&hosts](Rank which) { return hosts[static_cast<std::size_t>(which)]; };
      if (step.kind != Step::Kind::send || (!hosts.empty() && host(rank) == host(step.peer))) continue;
      ++all.messages;
      if (hosts.empty()) all.elements += step.count;
    }
  }
  return budget < 0 ? most : std::min(all, most);
}

// Returns the first of the candidates predicted alike that sends the least: what else loads a network, or how its ports
// really are, matters least to it. If it floods a port, the first of them that is the same algorithm paced.
std::vector<Candidate>::iterator simplest_of(std::vector<Candidate>& all, const std::vector<int>& hosts) {
  const auto time = [&](const Candidate& c) {
    const bool costs = !hosts.empty() && c.plan.parameters().segment_bytes > 0;
    return plus(c.predicted, costs ? c.predicted / segments_cost : 0);
  };
  const Picoseconds best = time(*std::ranges::min_element(all, {}, time));
  const auto is_alike = [&](const Candidate& c) { return time(c) <= alike_to(best); };
  auto simplest = std::ranges::find_if(all, is_alike);
  if (best == never) return simplest;
  std::int64_t budget = most_counted;
  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
  const bool several = std::any_of(simplest + 1, all.end(), is_alike);
  Sent least = several ? sent_by(simplest->plan, hosts, {any, any}, budget) : Sent{};
  for (auto each = simplest + 1; each != all.end() && least > Sent{}; ++each) {
    if (!is_alike(*each)) continue;
    const Sent its = sent_by(each->plan, hosts, least, budget);
    if (its < least) {
      least = its;
      simplest = each;
    }
  }
  if (!floods_a_port(simplest->plan)) return simplest;
  const auto paced = std::ranges::find_if(all, [&](const Candidate& c) {
    return is_alike(c) && &c.plan.algorithm() == &simplest->plan.algorithm() && !floods_a_port(c.plan);
  });
  return paced != all.end() ? paced : simplest;
}

// Quick times are too optimistic to compare with confirmed ones: such candidates count only if nothing is confirmed,
// and follow the confirmed ones otherwise.
std::vector<Candidate> ranked(const std::vector<ParameterSearch*>& rivals, const std::vector<int>& hosts) {
  const bool any = std::ranges::any_of(rivals, [](const auto* each) { return each->best() < never; });
  std::vector<Candidate> all;
  std::vector<Candidate> others;
  for (const ParameterSearch* each : rivals) {
    std::vector<Candidate>& to = any && each->best() == never ? others : all;
    for (Candidate& candidate : each->found()) to.push_back(std::move(candidate));
  }
  std::iter_swap(all.begin(), simplest_of(all, hosts));
  for (Candidate& candidate : others) all.push_back(std::move(candidate));
  std::ranges::stable_sort(all.begin() + 1, all.end(), {}, &Candidate::predicted);
  return all;
}

std::vector<Candidate> search_known(const Request& request, const ModelFor& model_for,
                                    const PlatformKnowledge& knowledge, SearchState::To to) {
  SearchState search(to, request.ranks);
  std::vector<ParameterSearch> searches = parameter_searches(request, model_for, knowledge, search);
  std::vector<std::vector<ParameterSearch*>> rounds = rounds_of(searches);
  std::vector<ParameterSearch*> rivals;
  for (std::vector<ParameterSearch*>& round : rounds) {
    search.begin();
    look_around(round, search);
    round = well_founded(round);
    look_closely(round, search);
    rivals.insert(rivals.end(), round.begin(), round.end());
  }
  if (knowledge.detours) {
    for (const std::vector<ParameterSearch*>& round : rounds) look_at_detours(round, search);
  }
  return ranked(rivals, knowledge.hosts);
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
  const Algorithm& direct =
      **std::ranges::find_if(algorithms, [](const Algorithm* algorithm) { return algorithm->learn == nullptr; });
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
  std::vector<Candidate> all;
  for (const auto trees : {ParameterSearch::Trees::usual, ParameterSearch::Trees::sharing_links}) {
    const bool shares_links = trees == ParameterSearch::Trees::sharing_links;
    if (shares_links && !may_share_links(algorithm, knowledge.links)) continue;
    ParameterSearch search(algorithm, request, model, knowledge, alone, trees);
    search.all();
    for (Candidate& candidate : search.found()) all.push_back(std::move(candidate));
  }
  return all;
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
