#include <algorithm>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/exploration.hpp>
#include <tombolo/collectives/race.hpp>

namespace tombolo {

namespace {

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

// Of all algorithms but baselines, in the order of algorithms.def.
std::vector<Exploration> explorations(const Request& request, const ModelFor& model_for, const Terrain& terrain,
                                      Race& race) {
  std::vector<Exploration> all;
  for (const Algorithm* algorithm : algorithms_for(request)) {
    if (algorithm->baseline) continue;
    all.emplace_back(*algorithm, request, model_for(request.with_in_place(false), *algorithm), terrain, race);
  }
  return all;
}

void look_around(std::vector<Exploration>& all) {
  for (int stage = 0; stage < Exploration::stages; ++stage) {
    // Where there is no time for all, those first that are made for the platform.
    for (const bool mapped : {true, false}) {
      for (Exploration& each : all) {
        if (each.algorithm().mapped == mapped) each.begin(stage);
      }
    }
  }
}

// Blocks are forwarded where that is seen to be faster than to send them directly, not where this is too much to see.
std::vector<Exploration*> well_founded(std::vector<Exploration>& all) {
  const bool sees_direct = std::any_of(all.begin(), all.end(), [](const Exploration& each) {
    return !each.algorithm().all_counts && each.promise() < never;
  });
  std::vector<Exploration*> founded;
  for (Exploration& each : all) {
    if (sees_direct || !each.algorithm().all_counts) founded.push_back(&each);
  }
  return founded;
}

void look_closely(std::vector<Exploration*> order, Race& race) {
  race.look_closely();
  // What cannot be alike the best, not even where flows do not hinder one another, loses the race.
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->promise() < b->promise(); });
  for (Exploration* each : order) {
    if (!race.to_first() || each->promise() <= race.alike_fastest()) each->confirm();
  }
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return a->best() < b->best(); });
  for (std::size_t i = 0; i < std::min(most_refined, order.size()); ++i)
    if (order[i]->best() < never) order[i]->refine();
}

bool faster(const Candidate& a, const Candidate& b) {
  return a.predicted < b.predicted;
}

// What a quick look says is too good: it only counts where nothing is confirmed, and stands behind what is.
std::vector<Candidate> ranked(const std::vector<Exploration*>& raced) {
  const bool any = std::any_of(raced.begin(), raced.end(), [](const auto* each) { return each->best() < never; });
  std::vector<Candidate> all;
  std::vector<Candidate> others;
  for (const Exploration* each : raced) {
    std::vector<Candidate>& to = any && each->best() == never ? others : all;
    for (Candidate& candidate : each->found()) to.push_back(std::move(candidate));
  }
  const Picoseconds best = std::min_element(all.begin(), all.end(), faster)->predicted;
  const auto simplest = std::find_if(all.begin(), all.end(),
                                     [best](const Candidate& c) { return c.predicted - best <= best / Race::alike; });
  std::iter_swap(all.begin(), simplest);
  for (Candidate& candidate : others) all.push_back(std::move(candidate));
  std::stable_sort(all.begin() + 1, all.end(), faster);
  return all;
}

std::vector<Candidate> search(const Request& request, const ModelFor& model_for, const Terrain& terrain, Race::To to) {
  if (request.knowledge == Knowledge::as_in_mpi) {
    const std::vector<const Algorithm*> algorithms = algorithms_for(request);
    const auto needs_none =
        std::find_if(algorithms.begin(), algorithms.end(), [](const Algorithm* a) { return a->learn == nullptr; });
    if (needs_none != algorithms.end()) return {{Plan(request, **needs_none), 0}};
  }
  Race race(to);
  std::vector<Exploration> explored = explorations(request, model_for, terrain, race);
  look_around(explored);
  const std::vector<Exploration*> raced = well_founded(explored);
  look_closely(raced, race);
  return ranked(raced);
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
