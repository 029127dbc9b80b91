#include <algorithm>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/exploration.hpp>

namespace tombolo {

namespace {

// Predictions that differ by less than one part in so many say nothing.
constexpr Picoseconds alike = 100;

// Algorithms that are looked at more closely, those of which the first look says that they are the fastest.
constexpr std::size_t most_refined = 2;

}  // namespace

std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request, const Model& model,
                                     const Terrain& terrain) {
  SearchBudget no_limit{.left = never};
  Exploration exploration(algorithm, request, model, terrain, no_limit);
  exploration.all();
  return exploration.found();
}

std::vector<Candidate> candidates(const Request& request, const ModelFor& model_for, const Terrain& terrain,
                                  SearchBudget budget) {
  std::vector<Exploration> explored;
  // Half for a look around, and what is left of it with the other half for a closer one.
  SearchBudget looking{budget.left / 2, budget.most};
  for (const Algorithm* algorithm : algorithms_for(request)) {
    if (request.knowledge == Knowledge::as_in_mpi) {
      if (algorithm->learn == nullptr) return {{Plan(request, *algorithm), 0}};
      continue;
    }
    if (algorithm->baseline) continue;
    explored.emplace_back(*algorithm, request, model_for(request.with_in_place(false), *algorithm), terrain, looking);
  }
  for (int stage = 0; stage < Exploration::stages; ++stage) {
    // Where there is no time for all, those first that are made for the platform.
    for (const bool mapped : {true, false}) {
      for (Exploration& each : explored) {
        if (each.algorithm().mapped == mapped) each.begin(stage);
      }
    }
  }
  looking.left += budget.left - budget.left / 2;
  // Blocks are forwarded where that is seen to be faster than to send them directly, not where this is too much to see.
  const bool sees_direct = std::any_of(explored.begin(), explored.end(), [](const Exploration& each) {
    return !each.algorithm().all_counts && each.promise() < never;
  });
  std::vector<Exploration*> order;
  for (Exploration& each : explored) {
    if (sees_direct || !each.algorithm().all_counts) order.push_back(&each);
  }
  // What cannot be faster than the best, not even where flows do not hinder one another, is not looked at again.
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->promise() < b->promise(); });
  Picoseconds fastest = never;
  for (Exploration* each : order) {
    if (each->promise() >= fastest) continue;
    each->confirm();
    fastest = std::min(fastest, each->best());
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->best() < b->best(); });
  for (std::size_t i = 0; i < std::min(most_refined, order.size()); ++i)
    if (order[i]->best() < never) order[i]->refine();
  std::vector<Candidate> all;
  for (const Exploration& each : explored) {
    if (std::find(order.begin(), order.end(), &each) == order.end()) continue;
    for (Candidate& candidate : each.found()) all.push_back(std::move(candidate));
  }
  const auto faster = [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; };
  const Picoseconds best = std::min_element(all.begin(), all.end(), faster)->predicted;
  const auto simplest =
      std::find_if(all.begin(), all.end(), [best](const Candidate& c) { return c.predicted - best <= best / alike; });
  std::iter_swap(all.begin(), simplest);
  std::stable_sort(all.begin() + 1, all.end(), faster);
  return all;
}

std::vector<Candidate> candidates(const Request& request, const Model& model, const Terrain& terrain) {
  const auto same = [&model](const Request&, const Algorithm&) -> const Model& { return model; };
  return candidates(request, same, terrain);
}

Plan choose(const Request& request, const Model& model, const Terrain& terrain) {
  return candidates(request, model, terrain).front().plan;
}

}  // namespace tombolo
