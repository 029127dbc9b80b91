#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/choose/scheduled.hpp>
#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

template <class Named, class NameOf>
std::string listed(const Named& all, NameOf name_of) {
  std::string names;
  for (const auto& each : all) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(each));
  return names;
}

std::size_t levels_of(const Hierarchy::Group& group) {
  std::size_t deepest = 0;
  for (const Hierarchy::Group& child : group.children) deepest = std::max(deepest, 1 + levels_of(child));
  return deepest;
}

void check_has_groups(const StatedSchedule& schedule, const PlatformKnowledge& knowledge) {
  const std::size_t levels = knowledge.hierarchy == nullptr ? 0 : levels_of(knowledge.hierarchy->whole());
  if (levels == 0) {
    throw Error("a schedule between groups of ranks, of which there is but one",
                "name a platform of several clusters, or state no schedule");
  }
  if (schedule.between.size() > levels) {
    throw Error(fmt::format("schedules for {} levels of groups on a platform of {}", schedule.between.size(), levels),
                "state one schedule for each level, and the shape inside groups last");
  }
}

std::string name_of(const StatedSchedule& schedule, const Inside& inside) {
  std::string name;
  for (const GroupSchedule* each : schedule.between) name += fmt::format("{} over ", each->name);
  return name + inside.name;
}

// Size of one message: the vector, a segment, or the mean block.
Bytes message_bytes(const Request& request, Bytes segment) {
  if (sizes(request.operation) == Sizes::blocks) return request.blocks.total() / request.ranks * request.element_bytes;
  return segment > 0 ? segment : request.count * request.element_bytes;
}

MappedTrees tree(const StatedSchedule& schedule, const Inside& inside, const Algorithm& algorithm,
                 const Request& request, const Hierarchy& hierarchy, const MessageTimes& times) {
  const bool blocks = sizes(request.operation) == Sizes::blocks;
  const Composition composition{schedule.between, {inside}, blocks, !blocks};
  const Rank root = is_rooted(request.operation) ? request.root : central_rank(hierarchy, times);
  const MappedTrees made(name_of(schedule, inside), compose(hierarchy, root, composition, times));
  return algorithm.heeds(Parameter::segment_bytes) ? with_long_links(made, times.model()) : made;
}

}  // namespace

StatedSchedule stated_schedule(std::string_view words) {
  constexpr std::string_view over = " over ";
  StatedSchedule stated;
  std::size_t end = words.find(over);
  do {
    const std::string_view name = words.substr(0, end);
    const auto found = std::ranges::find(all_schedules(), name, &GroupSchedule::name);
    if (found == all_schedules().end()) {
      throw Error(fmt::format("there is no schedule '{}'", name),
                  "choose one of " + listed(all_schedules(), [](const GroupSchedule* each) { return each->name; }));
    }
    stated.between.push_back(*found);
    if (end == std::string_view::npos) return stated;
    words.remove_prefix(end + over.size());
    end = words.find(over);
  } while (end != std::string_view::npos);
  stated.inside = words;
  const std::vector<Inside> shapes = inside_shapes(1);
  if (std::ranges::none_of(shapes, [&](const Inside& shape) { return shape.name == stated.inside; })) {
    throw Error(fmt::format("there is no shape '{}' inside clusters", stated.inside),
                "choose one of " + listed(shapes, [](const Inside& shape) { return shape.name; }));
  }
  return stated;
}

void check_follows_schedule(const Algorithm& algorithm) {
  if (algorithm.follows_rooted_trees()) return;
  throw Error(fmt::format("algorithm '{}' of {} follows no schedule", algorithm.name, name(algorithm.operation)),
              "choose 'mapped', where there is one");
}

std::vector<Candidate> scheduled(const StatedSchedule& schedule, const Algorithm& algorithm, const Request& request,
                                 const Model& model, const PlatformKnowledge& knowledge,
                                 std::span<const Bytes> segments) {
  check_follows_schedule(algorithm);
  check_has_groups(schedule, knowledge);
  std::vector<Candidate> all;
  for (const Bytes segment : segments) {
    Parameters parameters = variants(request, algorithm, model, segment, Effort::usual).front();
    parameters.segment_bytes = segment;
    const MessageTimes times(model, request.ranks, message_bytes(request, segment));
    for (const Inside& inside : inside_shapes(delay(model, times.bytes()))) {
      if (!schedule.inside.empty() && inside.name != schedule.inside) continue;
      parameters.trees = tree(schedule, inside, algorithm, request, *knowledge.hierarchy, times);
      Plan plan(request, algorithm, parameters);
      const Picoseconds predicted = pipeline_time(plan, model);
      all.push_back({std::move(plan), predicted});
    }
  }
  std::ranges::stable_sort(all, {}, &Candidate::predicted);
  return all;
}

}  // namespace tombolo
