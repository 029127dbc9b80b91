#include <algorithm>
#include <cmath>
#include <limits>

#include <tombolo/framework/program/shared_out.hpp>

namespace tombolo {

namespace {

// How many items each of the members has memory for, beside what it holds anyhow; none where they have enough.
std::vector<std::int64_t> limits(const Declaration& program, int slices, const Workers& workers,
                                 std::span<const Rank> members) {
  if (workers.memory.empty()) return {};
  std::vector<std::int64_t> most;
  double together = 0;
  for (const Rank rank : members) {
    double held = 0;
    double each = 0;
    for (const DeclaredArray& array : program.arrays) {
      const double row = static_cast<double>(array.shape.columns) * static_cast<double>(array.element);
      const bool all = array.everywhere || array.root == rank;
      if (array.placed) held += static_cast<double>(array.placed->elements(rank) * array.element);
      if (all) held += row * static_cast<double>(array.shape.rows);
      if (!all && array.slices == slices) each += row;
    }
    const auto items = static_cast<double>(program.slices[static_cast<std::size_t>(slices)].items);
    const double room = std::max(workers.memory[static_cast<std::size_t>(rank)] - held, 0.0);
    most.push_back(static_cast<std::int64_t>(each > 0 ? std::min(room / each, items) : items));
    together += static_cast<double>(most.back());
  }
  // What does not fit at all is told when memory is taken.
  if (together < static_cast<double>(program.slices[static_cast<std::size_t>(slices)].items)) return {};
  return most;
}

// The one task over slices whose speed depends on their number; null where there are others, or none.
const DeclaredTask* only_work(const Declaration& program, int slices) {
  const DeclaredTask* only = nullptr;
  for (const DeclaredTask& task : program.tasks) {
    if (task.slices != slices || task.operations == 0) continue;
    if (only != nullptr || task.size == 0) return nullptr;
    only = &task;
  }
  return only;
}

}  // namespace

Division shared_out(const Declaration& program, int slices, const Workers& workers, std::span<const Rank> members,
                    SharePolicy policy, int panels) {
  const DeclaredSlices& declared = program.slices[static_cast<std::size_t>(slices)];
  const std::vector<std::int64_t> most = limits(program, slices, workers, members);
  std::vector<SpeedFunction> speeds;
  if (policy == SharePolicy::equal) {
    speeds.assign(members.size(), SpeedFunction::constant(1));
    return divide(declared, speeds, 1, panels, most);
  }
  if (const DeclaredTask* only = only_work(program, slices)) {
    for (const Rank rank : members) {
      speeds.push_back(workers.speeds.at(only->kernel)[static_cast<std::size_t>(rank)]);
    }
    return divide(declared, speeds, only->size, panels, most);
  }
  for (const std::int64_t speed : speeds_over(program, slices, workers.speeds, members)) {
    speeds.push_back(SpeedFunction::constant(speed));
  }
  return divide(declared, speeds, 1, panels, most);
}

std::vector<std::int64_t> speeds_over(const Declaration& program, int slices, const SpeedsByKernel& speeds,
                                      std::span<const Rank> members) {
  constexpr std::int64_t large = std::numeric_limits<std::int32_t>::max();
  constexpr double fastest = 1e15;  // so that the slowest ones keep digits
  std::vector<double> items;
  for (const Rank rank : members) {
    double time = 0;
    for (const DeclaredTask& task : program.tasks) {
      if (task.slices != slices || task.operations == 0) continue;
      time += task.operations /
              static_cast<double>(speeds.at(task.kernel)[static_cast<std::size_t>(rank)].at(problem_size(task, large)));
    }
    items.push_back(time > 0 ? 1 / time : 0);
  }
  const double most = items.empty() ? 0 : *std::max_element(items.begin(), items.end());
  std::vector<std::int64_t> result;
  for (const double each : items) result.push_back(most > 0 ? std::llround(each / most * fastest) : 1);
  return result;
}

}  // namespace tombolo
