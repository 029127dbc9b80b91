#include <algorithm>

#include <fmt/format.h>

#include <tombolo/collectives/plan/detoured.hpp>
#include <tombolo/collectives/plan/parameter_table.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/units.hpp>

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

void check(const Parameters& parameters, const Request& request, const Algorithm& algorithm) {
  check_scalars(parameters, algorithm);
  const bool positive = std::ranges::all_of(parameters.rates, [](std::int64_t rate) { return rate > 0; });
  if (!parameters.rates.empty() && (static_cast<int>(parameters.rates.size()) != request.ranks || !positive)) {
    throw Error(fmt::format("{} rates for {} ranks", parameters.rates.size(), request.ranks),
                "give each rank one, more than 0");
  }
  RankOrder(request.ranks, request.root, parameters.order);  // checks the order
}

// Refuses `what`, "trees" or "groups", of a platform.
[[noreturn]] void refuse_topology(const char* what, const std::string& named, const std::string& why,
                                  const Algorithm& algorithm) {
  throw Error(
      fmt::format("{} '{}' {} for algorithm '{}' of {}", what, named, why, algorithm.name, name(algorithm.operation)),
      fmt::format("make {} for this very request", what));
}

void check(const MappedTrees& trees, const Request& request, const Algorithm& algorithm) {
  if (trees.empty()) return;
  const auto refuse = [&](const std::string& why) { refuse_topology("trees", trees.name(), why, algorithm); };
  if (!algorithm.follows_rooted_trees() && !algorithm.follows_leaders()) refuse("that it does not heed");
  if (trees.ranks() != request.ranks) refuse(fmt::format("over {} of {} ranks", trees.ranks(), request.ranks));
  if (trees.size() > 1 && !algorithm.follows_several_trees())
    refuse(fmt::format("of which there are {}", trees.size()));
  for (const MappedTrees::Weighted& each : trees.all()) {
    const std::vector<Rank> roots = each.tree.roots();
    if (roots.size() != 1 && !algorithm.follows_leaders()) refuse(fmt::format("with {} tops", roots.size()));
    if (is_rooted(request.operation) && roots.front() != request.root) {
      refuse(fmt::format("with {} instead of the root {} at the top", roots.front(), request.root));
    }
  }
}

void check(const NestedGroups& groups, const Request& request, const Algorithm& algorithm) {
  if (groups.empty()) return;
  const auto refuse = [&](const std::string& why) { refuse_topology("groups", groups.name(), why, algorithm); };
  if (!algorithm.follows_groups()) refuse("that it does not heed");
  if (groups.size() != request.ranks) refuse(fmt::format("of {} of {} ranks", groups.size(), request.ranks));
  const std::size_t levels = groups.partitions().size();
  if (levels > 1 && algorithm.mapped == Mapped::clusters) refuse(fmt::format("on {} levels", levels));
}

void check(const Detours& detours, const Request& request, const Algorithm& algorithm) {
  if (detours.empty()) return;
  const auto refuse = [&](const std::string& why) { refuse_topology("detours", "", why, algorithm); };
  if (detours.ranks() != request.ranks) refuse(fmt::format("of {} of {} ranks", detours.ranks(), request.ranks));
  if (request.knowledge == Knowledge::as_in_mpi) refuse("whose relays do not know the counts");
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
  check(parameters_, request_, algorithm);
  check(parameters_.trees, request_, algorithm);
  check(parameters_.groups, request_, algorithm);
  check(parameters_.detours, request_, algorithm);
}

Schedule Plan::learning(Rank rank) const {
  ScheduleWriter writer;
  if (learns()) algorithm_->learn(request_.seen_by(rank), parameters_, rank, writer);
  return std::move(writer).finish();
}

Schedule Plan::direct(Rank rank, const Request& known) const {
  ScheduleWriter writer;
  algorithm_->write(known, parameters_, rank, writer);
  return std::move(writer).finish();
}

std::vector<Schedule> Plan::with_detours(std::vector<Schedule> direct) const {
  if (parameters_.detours.empty()) return direct;
  return detoured(direct, parameters_.detours, request_.element_bytes);
}

Schedule Plan::schedule(Rank rank, const Request& known) const {
  if (parameters_.detours.empty()) return direct(rank, known);
  std::vector<Schedule> all;
  for (Rank each = 0; each < request_.ranks; ++each) {
    all.push_back(direct(each, each == rank ? known : known.seen_by(each)));
  }
  return std::move(with_detours(std::move(all))[static_cast<std::size_t>(rank)]);
}

std::vector<Schedule> Plan::schedules() const {
  std::vector<Schedule> all;
  for (Rank rank = 0; rank < request_.ranks; ++rank) all.push_back(direct(rank, request_));
  return with_detours(std::move(all));
}

std::string Plan::how() const {
  std::string text = std::string(algorithm_->name) + text_of_scalars(parameters_);
  if (!parameters_.order.empty()) text += ", ranks in a given order";
  if (!parameters_.rates.empty()) text += ", shares by rates";
  const auto add = [&text](std::size_t trees, const std::string& name) {
    text += trees > 1 ? fmt::format(", {} trees: {}", trees, name) : fmt::format(", tree: {}", name);
  };
  if (const MappedTrees& trees = parameters_.trees; !trees.empty()) add(trees.all().size(), trees.name());
  // In text and JSON the groups of each level are flat trees.
  if (const NestedGroups& groups = parameters_.groups; !groups.empty()) add(groups.partitions().size(), groups.name());
  if (!parameters_.detours.empty()) {
    text += fmt::format(", detours between {} of clusters", counted(parameters_.detours.pairs().size(), "pair"));
  }
  return text;
}

std::string Plan::describe() const {
  std::string text =
      fmt::format("{}{} over {}", name(request_.operation), size_of(request_), counted(request_.ranks, "rank"));
  if (is_rooted(request_.operation)) text += fmt::format(", root {}", request_.root);
  return text + ": " + how();
}

}  // namespace tombolo
