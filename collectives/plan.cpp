#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/plan.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace {

std::string size_of(const Request& request) {
  switch (sizes(request.operation)) {
    case Sizes::vector:
      return fmt::format(" of {} B", request.count * request.element_bytes);
    case Sizes::blocks:
      if (!request.blocks.all_known()) return "";
      return fmt::format(" of {} B in all", request.blocks.total() * request.element_bytes);
    case Sizes::none:
    case Sizes::exchange:
      return "";
  }
  return "";
}

void check(const Parameters& parameters, const Request& request, int least_radix) {
  const auto refuse = [](std::string what, const char* remedy) { throw Error(std::move(what), remedy); };
  if (parameters.radix != 0 && parameters.radix < least_radix) {
    throw Error(fmt::format("a radix of {}", parameters.radix),
                fmt::format("give {} or more, or 0 for the algorithm's own", least_radix));
  }
  if (parameters.delay < 0) refuse(fmt::format("a delay of {}", parameters.delay), "give 1 or more, or 0");
  const bool positive =
      std::all_of(parameters.rates.begin(), parameters.rates.end(), [](std::int64_t rate) { return rate > 0; });
  if (!parameters.rates.empty() && (static_cast<int>(parameters.rates.size()) != request.ranks || !positive)) {
    refuse(fmt::format("{} rates for {} ranks", parameters.rates.size(), request.ranks),
           "give each rank one, more than 0");
  }
  Places(request, parameters);  // checks the order
}

void check(const MappedTrees& trees, const Request& request, const Algorithm& algorithm) {
  if (trees.empty()) return;
  const auto refuse = [&](std::string what) {
    throw Error(fmt::format("trees '{}' {} for algorithm '{}' of {}", trees.name(), what, algorithm.name,
                            name(request.operation)),
                "make trees for this very request");
  };
  if (!algorithm.mapped) refuse("that it does not heed");
  if (trees.ranks() != request.ranks) refuse(fmt::format("over {} of {} ranks", trees.ranks(), request.ranks));
  if (trees.size() > 1 && !algorithm.several_trees) refuse(fmt::format("of which there are {}", trees.size()));
  for (const MappedTrees::Weighted& each : trees.all()) {
    const std::vector<Rank> tops = each.tree.tops();
    if (tops.size() != 1 && !algorithm.several_tops) refuse(fmt::format("with {} tops", tops.size()));
    if (is_rooted(request.operation) && tops.front() != request.root) {
      refuse(fmt::format("with {} instead of the root {} at the top", tops.front(), request.root));
    }
  }
}

}  // namespace

Plan::Plan(Request request, const Algorithm& algorithm, Parameters parameters)
    : request_(std::move(request)), algorithm_(&algorithm), parameters_(std::move(parameters)) {
  if (algorithm.operation != request_.operation) {
    throw Error(fmt::format("algorithm '{}' is for {}, not for {}", algorithm.name, name(algorithm.operation),
                            name(request_.operation)),
                "choose one of that operation's own");
  }
  if (request_.knowledge == Knowledge::as_in_mpi && algorithm.all_counts) {
    throw Error(fmt::format("algorithm '{}' of {} where ranks know their own counts only", algorithm.name,
                            name(algorithm.operation)),
                "choose one that needs no others, or give all ranks all counts");
  }
  if (!algorithm.suits(request_)) {
    throw Error(fmt::format("algorithm '{}' of {} for an operation that does not commute", algorithm.name,
                            name(algorithm.operation)),
                "choose one that keeps the order of the ranks");
  }
  check(parameters_, request_, algorithm.least_radix);
  check(parameters_.trees, request_, algorithm);
}

Schedule Plan::learning(Rank rank) const {
  ScheduleWriter writer;
  if (learns()) algorithm_->learn(request_.seen_by(rank), parameters_, rank, writer);
  return std::move(writer).finish();
}

Schedule Plan::schedule(Rank rank, const Request& known) const {
  ScheduleWriter writer;
  algorithm_->write(known, parameters_, rank, writer);
  return std::move(writer).finish();
}

std::string Plan::how() const {
  std::string text(algorithm_->name);
  if (parameters_.radix > 0) text += fmt::format(", radix {}", parameters_.radix);
  if (parameters_.delay > 0) text += fmt::format(", delay {}", parameters_.delay);
  if (parameters_.segment_bytes > 0) text += fmt::format(", segments of {} B", parameters_.segment_bytes);
  if (parameters_.window > 0) {
    text += fmt::format(", window {}{}", parameters_.window, parameters_.lanes == Lanes::per_rank ? " per rank" : "");
  }
  if (!parameters_.order.empty()) text += ", ranks in a given order";
  if (!parameters_.rates.empty()) text += ", shares by rates";
  const MappedTrees& trees = parameters_.trees;
  if (trees.size() > 1) text += fmt::format(", {} trees: {}", trees.size(), trees.name());
  if (trees.size() == 1) text += fmt::format(", tree: {}", trees.name());
  return text;
}

std::string Plan::describe() const {
  std::string text = fmt::format("{}{} over {} rank{}", name(request_.operation), size_of(request_), request_.ranks,
                                 request_.ranks == 1 ? "" : "s");
  if (is_rooted(request_.operation)) text += fmt::format(", root {}", request_.root);
  return text + ": " + how();
}

}  // namespace tombolo
