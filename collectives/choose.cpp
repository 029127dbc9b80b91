#include <algorithm>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/exploration.hpp>
#include <tombolo/collectives/race.hpp>

namespace tombolo {

namespace {

// Of predictions: those that differ by less than one part in so many say nothing.
constexpr Picoseconds alike = 100;

// Algorithms that are looked at more closely, those of which the first look says that they are the fastest.
constexpr std::size_t most_refined = 2;

}  // namespace

std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request, const Model& model,
                                     const Terrain& terrain) {
  Race alone;
  Exploration exploration(algorithm, request, model, terrain, alone);
  exploration.all();
  return exploration.found();
}

namespace {

std::vector<Candidate> search(const Request& request, const ModelFor& model_for, const Terrain& terrain, Race::To to) {
  std::vector<Exploration> explored;
  Race race(to);
  for (const Algorithm* algorithm : algorithms_for(request)) {
    if (request.knowledge == Knowledge::as_in_mpi) {
      if (algorithm->learn == nullptr) return {{Plan(request, *algorithm), 0}};
      continue;
    }
    if (algorithm->baseline) continue;
    explored.emplace_back(*algorithm, request, model_for(request.with_in_place(false), *algorithm), terrain, race);
  }
  for (int stage = 0; stage < Exploration::stages; ++stage) {
    // Where there is no time for all, those first that are made for the platform.
    for (const bool mapped : {true, false}) {
      for (Exploration& each : explored) {
        if (each.algorithm().mapped == mapped) each.begin(stage);
      }
    }
  }
  race.look_closely();
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
  for (Exploration* each : order) {
    if (each->promise() < race.fastest()) each->confirm();
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

}  // namespace

std::vector<Candidate> candidates(const Request& request, const ModelFor& model_for, const Terrain& terrain) {
  return search(request, model_for, terrain, Race::To::all);
}

std::vector<Candidate> candidates(const Request& request, const Model& model, const Terrain& terrain) {
  const auto same = [&model](const Request&, const Algorithm&) -> const Model& { return model; };
  return candidates(request, same, terrain);
}

Candidate choose(const Request& request, const ModelFor& model_for, const Terrain& terrain) {
  return search(request, model_for, terrain, Race::To::first).front();
}

Plan choose(const Request& request, const Model& model, const Terrain& terrain) {
  const auto same = [&model](const Request&, const Algorithm&) -> const Model& { return model; };
  return choose(request, same, terrain).plan;
}

}  // namespace tombolo
