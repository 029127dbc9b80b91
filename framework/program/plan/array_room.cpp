#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/plan/array_room.hpp>

namespace tombolo {

namespace {

// True if the two arrays of a task swap memories, or use them in turn.
bool trades_memory(const DeclaredTask& task) {
  return task.spends || rules(task.kind).swaps();
}

bool touches_array(const Declaration& program, std::size_t task, int array) {
  const Touches touched = touches(program, program.tasks[task]);
  const auto is_it = [array](const Touch& touch) { return touch.array == array; };
  return std::any_of(touched.reads.begin(), touched.reads.end(), is_it) ||
         std::any_of(touched.writes.begin(), touched.writes.end(), is_it);
}

// True if nothing touches `to` before a move nor the spent source after it, and neither is swapped with a third array.
// The pack of a move stands before it, its unpack behind it.
bool hands_over(const Declaration& program, std::size_t move) {
  const DeclaredTask& task = program.tasks[move];
  for (std::size_t other = 0; other < program.tasks.size(); ++other) {
    if (other + 1 >= move && other <= move + 1) continue;
    if (touches_array(program, other, other < move ? task.to : task.array)) return false;
    const DeclaredTask& another = program.tasks[other];
    const auto is_of = [&](int array) { return another.array == array || another.to == array; };
    if (trades_memory(another) && (is_of(task.array) || is_of(task.to))) return false;
  }
  return true;
}

double bytes_of(const DeclaredArray& array, const Arrangement& arrangement, Rank member) {
  const HeldPart part = held_part(array, arrangement, member);
  return (static_cast<double>(part.elements) + 2 * static_cast<double>(part.halo)) * static_cast<double>(array.element);
}

// Returns the bytes of the buffers of a move beside its arrays: what is packed, and what arrives.
std::pair<double, double> buffers_of(const Declaration& program, const Arrangement& arrangement,
                                     const DeclaredTask& task, Rank member) {
  if (task.kind != TaskKind::move || task.spends) return {0, 0};
  const RankMove move(redistribution_of(program, arrangement, task), member, Source::kept);
  const auto element = static_cast<double>(program.arrays[static_cast<std::size_t>(task.array)].element);
  return {static_cast<double>(move.packed_room()) * element, static_cast<double>(move.arrived_room()) * element};
}

}  // namespace

HeldPart held_part(const DeclaredArray& array, const Arrangement& arrangement, Rank member) {
  if (array.placed) return {false, array.placed->elements(member), 0};
  const std::int64_t columns = array.shape.columns;
  if (array.everywhere || (array.root && arrangement.member(*array.root) == member)) {
    return {true, array.shape.rows * columns, 0};
  }
  const std::int64_t rows =
      array.sliced() ? std::max(arrangement.division(array.slices).items_of(member), array.least) : 0;
  return {false, rows * columns, array.halo * columns};
}

std::vector<ArrayRoom> rooms_of(const Declaration& program, const Arrangement& arrangement, Rank member) {
  std::vector<ArrayRoom> rooms(program.arrays.size());
  for (std::size_t i = 0; i < rooms.size(); ++i) rooms[i].bytes = bytes_of(program.arrays[i], arrangement, member);
  std::vector<std::size_t> same(rooms.size());  // equal numbers for arrays that swap memories
  std::iota(same.begin(), same.end(), std::size_t{0});
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const DeclaredTask& task = program.tasks[t];
    if (!trades_memory(task)) continue;
    const auto to = static_cast<std::size_t>(task.to);
    const std::size_t kept = same[static_cast<std::size_t>(task.array)];
    const std::size_t gone = same[to];
    std::replace(same.begin(), same.end(), gone, kept);
    if (!task.spends || !task.communicates()) continue;
    const RankMove move(redistribution_of(program, arrangement, task), member, Source::spent);
    if (move.is_view() && hands_over(program, t)) rooms[to].shares = task.array;
  }
  std::vector<double> most(rooms.size(), 0);
  for (std::size_t i = 0; i < rooms.size(); ++i) most[same[i]] = std::max(most[same[i]], rooms[i].bytes);
  for (std::size_t i = 0; i < rooms.size(); ++i)
    rooms[i].bytes = rooms[i].shares == ArrayRoom::none ? most[same[i]] : 0;
  return rooms;
}

double largest_buffer(const Declaration& program, const Arrangement& arrangement, Rank member) {
  double largest = 0;
  for (const DeclaredTask& task : program.tasks) {
    const auto [packed, arrived] = buffers_of(program, arrangement, task, member);
    largest = std::max({largest, packed, arrived});
  }
  return largest;
}

RunRoom room_of_run(const Declaration& program, const Arrangement& arrangement, Planner& planner, Rank member) {
  RunRoom room;
  std::map<Operation, double> scratch;  // the most of each
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const auto [packed, arrived] = buffers_of(program, arrangement, program.tasks[t], member);
    room.buffers += packed + arrived;
    const auto request = request_of(program, arrangement, {.task = static_cast<int>(t)}, member);
    if (!request) continue;
    const PreparedSchedule& schedule = planner.prepared(*request, member)->first;
    const auto elements = static_cast<double>(std::max(schedule.schedule().scratch(), schedule.scratch_with_staged()));
    double& most = scratch[request->operation];
    most = std::max(most, elements * static_cast<double>(request->element_bytes));
    room.scratch = std::max(room.scratch, most);
  }
  // A scatterv and a gatherv may be under way together (are_opposite()).
  if (arrangement.overlaps) {
    room.scratch = std::max(room.scratch, scratch[Operation::scatterv] + scratch[Operation::gatherv]);
  }
  return room;
}

}  // namespace tombolo
