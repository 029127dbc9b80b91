#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/system/environment.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t most_pieces = 3;
constexpr std::int64_t most_passes = 4096;  // passes whose written values are compared

// Returns the digest of a row. A sum of row digests does not depend on the division of rows among ranks.
std::uint64_t digest(std::int64_t row, const std::byte* data, std::int64_t bytes) {
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;
  std::uint64_t hash = (static_cast<std::uint64_t>(row) + 1) * factor;
  for (std::int64_t at = 0; at < bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, static_cast<std::size_t>(std::min<std::int64_t>(8, bytes - at)));
    hash = (hash ^ word) * factor;
    hash ^= hash >> 32U;
  }
  return hash;
}

std::uint64_t digest_of_all(const ArrayMemory& array) {
  return digest(0, array.data(), array.elements() * array.declared().element);
}

const char* words(AccessKind kind) {
  constexpr std::array names{"reads", "around", "whole", "writes", "updates", "combines"};
  return names.at(static_cast<std::size_t>(kind));
}

bool changes(AccessKind kind) {
  return kind == AccessKind::writes || kind == AccessKind::updates || kind == AccessKind::combines;
}

// True if all ranks have the same hash.
bool same_everywhere(std::uint64_t hash, MPI_Comm members) {
  std::array<std::uint64_t, 2> least{hash, ~hash};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_UINT64_T, MPI_MIN, members), "MPI_Allreduce");
  return least[0] == ~least[1];
}

}  // namespace

/// Guarded copy that a body gets in place of the array.
struct CheckMode::Copy {
  Copy(std::int64_t bytes, std::int64_t halo, GuardedMemory::Edge edge) : room(bytes, edge), before(halo) {}
  GuardedMemory room;
  std::int64_t before;  // bytes of the halo before the range
};

bool CheckMode::wanted() {
  const std::string value = environment("TOMBOLO_CHECK");
  if (!value.empty() && value != "0" && value != "1") {
    throw Error(fmt::format("TOMBOLO_CHECK is {}", tombolo::quoted(value)), "set it to 1, or unset it");
  }
  return value == "1";
}

void CheckMode::keep_values() {
  kept_.clear();
  for (const auto& array : body_.arrays) {
    const std::span<std::byte> all = array->all();
    kept_.emplace_back(all.begin(), all.end());
  }
}

void CheckMode::spoil(int number, const Copies& copies, const Arrangement& arrangement, Rank member) {
  ArrayMemory& array = body_.array(number);
  const DeclaredArray& declared = array.declared();
  if (declared.partial() || array.all().empty() || declared.placed) return;
  const bool all_of_it =
      array.whole() && (copies.everywhere || (copies.root && arrangement.member(*declared.root) == member));
  if (all_of_it) return;
  const std::span<std::byte> all = array.all();
  std::vector<std::byte> kept(all.begin(), all.end());
  std::fill(all.begin(), all.end(), std::byte{garbage()});
  if (!declared.sliced() || !copies.items) return;
  const Division& division = arrangement.division(declared.slices);
  for (int panel = 0; panel < division.panels(); ++panel) {
    const Slice slice = division.slice(panel, member);
    std::byte* const to = array.at(slice);
    const auto bytes = static_cast<std::size_t>(slice.count * array.row_bytes());
    if (bytes > 0) std::memcpy(to, kept.data() + (to - all.data()), bytes);
  }
}

void CheckMode::begin(Turn turn, const NewestValues& values, const Arrangement& arrangement, Rank member,
                      MPI_Comm members) {
  turn_ = turn;
  pass_ = 0;
  digests_[static_cast<std::size_t>(turn)].clear();
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const int number = static_cast<int>(i);
    ArrayMemory& array = body_.array(number);
    const std::span<std::byte> all = array.all();
    if (!kept_[i].empty()) std::memcpy(all.data(), kept_[i].data(), std::min(all.size(), kept_[i].size()));
    array.set_combining(false);
    const Copies& copies = values.of(number);
    if (copies.everywhere && !same_everywhere(digest_of_all(array), members)) {
      throw Error(fmt::format("program {}: the copies of {} differ between ranks before the run", body_.declared.name,
                              array.declared().name),
                  "fill it alike on all ranks, or at a root for bcast");
    }
    spoil(number, copies, arrangement, member);
  }
}

std::vector<std::size_t> CheckMode::order(const std::vector<Action>& actions) const {
  std::vector<std::size_t> order;
  std::vector<bool> done(actions.size(), false);
  while (order.size() < actions.size()) {
    std::size_t next = actions.size();
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (done[i]) continue;
      const bool ready = std::all_of(actions[i].after.begin(), actions[i].after.end(),
                                     [&](int before) { return done[static_cast<std::size_t>(before)]; });
      if (!ready) continue;
      // Panels of a task stay in order, as their parts are combined in that order.
      const bool another_panel = next < actions.size() && actions[next].task == actions[i].task;
      if (next == actions.size() || (turn_ == Turn::second && !another_panel)) next = i;
    }
    done[next] = true;
    order.push_back(next);
  }
  return order;
}

bool CheckMode::rounds(const DeclaredTask& task) const {
  return std::any_of(task.combines.begin(), task.combines.end(), [&](int number) {
    const DeclaredArray& partial = body_.array(number).declared();
    const bool exact = partial.reduction == "max" || partial.reduction == "min";
    return !exact && !partial.type.starts_with("int") && !partial.type.starts_with("uint");
  });
}

std::vector<Slice> CheckMode::pieces(const DeclaredTask& task, const Slice& slice) const {
  if (turn_ == Turn::first && !rounds(task)) return {slice};
  std::vector<Slice> pieces;
  const std::int64_t each = (slice.count - 1) / most_pieces + 1;
  for (std::int64_t first = 0; first < slice.count; first += each) {
    pieces.push_back({slice.first + first, std::min(each, slice.count - first), slice.local + first});
  }
  if (turn_ == Turn::second) std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

std::int64_t CheckMode::parts(const DeclaredTask& task) const {
  return turn_ == Turn::first && !rounds(task) ? 1 : std::min(task.parts, most_pieces);
}

void CheckMode::protect_arrays(GuardedMemory::Allowed what) {
  for (const auto& array : body_.arrays) array->allow(what);
}

std::unique_ptr<CheckMode::Copy> CheckMode::copy_of(const DeclaredAccess& access, const ViewedMemory& memory) const {
  const ArrayMemory& array = body_.array(access.array.number);
  const DeclaredArray& declared = array.declared();
  const std::int64_t row = array.item_bytes();
  std::int64_t before = 0;
  std::int64_t behind = 0;
  if (access.kind == AccessKind::around && memory.count > 0) {
    before = std::min(declared.halo, memory.first);
    behind = std::min(declared.halo, declared.shape.rows - memory.first - memory.count);
  }
  const std::int64_t bytes = (before + memory.count + behind) * row;
  auto copy = std::make_unique<Copy>(bytes, before * row, edge());
  if (access.kind == AccessKind::writes) {
    std::memset(copy->room.data(), garbage(), static_cast<std::size_t>(bytes));
  } else if (bytes > 0) {
    std::memcpy(copy->room.data(), memory.data - before * row, static_cast<std::size_t>(bytes));
  }
  if (!changes(access.kind)) copy->room.allow(GuardedMemory::Allowed::reading);
  return copy;
}

std::string CheckMode::explain(int task, const std::vector<DeclaredAccess>& accesses,
                               const std::vector<std::unique_ptr<Copy>>& copies, const void* address) const {
  const std::string& name = body_.task(task).name;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const GuardedMemory& room = copies[i]->room;
    if (!room.is_near(address)) continue;
    const std::string& array = body_.array(accesses[i].array.number).declared().name;
    const auto* const at = static_cast<const std::byte*>(address);
    const bool within = at >= room.data() && at < room.data() + room.size();
    return fmt::format("'{}' {} {}; {}", name,
                       within ? "writes to what it declares to read:" : "goes beyond the range of what it declares:",
                       fmt::format("{}({})", words(accesses[i].kind), array),
                       within ? "declare writes() or updates()"
                              : "declare around() with a halo wide enough, or whole(), or keep to the range");
  }
  for (const auto& array : body_.arrays) {
    if (!array->is_near(address)) continue;
    return fmt::format("'{}' touches the memory of {} otherwise than by a view; declare an access and use its view",
                       name, array->declared().name);
  }
  return fmt::format("'{}' touches memory at {} that is not there; it goes beyond a view, or follows a wrong pointer",
                     name, fmt::ptr(address));
}

void CheckMode::call(int task, const std::vector<DeclaredAccess>& accesses, std::span<const ViewedMemory> memory,
                     const std::function<void(std::span<const ViewedMemory>)>& body) {
  std::vector<std::unique_ptr<Copy>> copies;
  std::vector<ViewedMemory> guarded(memory.begin(), memory.end());
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    copies.push_back(copy_of(accesses[i], memory[i]));
    guarded[i].data = copies[i]->room.data() + copies[i]->before;
  }
  // Results of a farm are sent from the array during the call, so that reads must be allowed.
  const bool sends = rules(body_.task(task).kind).hands_out();
  protect_arrays(sends ? GuardedMemory::Allowed::reading : GuardedMemory::Allowed::nothing);
  try {
    catch_faults([&] { body(guarded); }, [&](const void* address) { return explain(task, accesses, copies, address); });
  } catch (...) {
    protect_arrays(GuardedMemory::Allowed::all);
    throw;
  }
  protect_arrays(GuardedMemory::Allowed::all);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (!changes(accesses[i].kind)) continue;
    const std::int64_t row = body_.array(accesses[i].array.number).item_bytes();
    if (memory[i].count > 0) {
      std::memcpy(memory[i].data, guarded[i].data, static_cast<std::size_t>(memory[i].count * row));
    }
    if (accesses[i].kind == AccessKind::combines || pass_ >= most_passes) continue;
    // check_copies() compares replicated arrays.
    if (!body_.array(accesses[i].array.number).declared().sliced()) continue;
    std::uint64_t& sum = digests_[static_cast<std::size_t>(turn_)][{pass_, task}];
    for (std::int64_t item = 0; item < memory[i].count; ++item) {
      sum += (i + 1) * digest(memory[i].first + item, memory[i].data + item * row, row);
    }
  }
}

void CheckMode::reduced(int task, Rank member) {
  if (member != 0 || pass_ >= most_passes) return;
  digests_[static_cast<std::size_t>(turn_)][{pass_, task}] += digest_of_all(body_.array(body_.task(task).array));
}

void CheckMode::check_copies(int task, MPI_Comm members) const {
  const DeclaredTask& declared = body_.task(task);
  for (const auto* written : {&declared.writes, &declared.updates}) {
    for (const int number : *written) {
      const ArrayMemory& array = body_.array(number);
      if (!array.declared().everywhere || array.declared().sliced()) continue;
      if (same_everywhere(digest_of_all(array), members)) continue;
      throw Error(fmt::format("'{}' leaves {} different on different ranks", declared.name, array.declared().name),
                  "every rank must write the same to what all hold");
    }
  }
}

std::string CheckMode::difference(MPI_Comm members) const {
  const Digests& first = digests_[0];
  const Digests& second = digests_[1];
  // The same tasks have run in the same passes on all members with items.
  const auto tasks = static_cast<std::int64_t>(body_.declared.tasks.size());
  std::int64_t last = 0;
  for (const Digests& turn : digests_) {
    if (!turn.empty()) last = std::max(last, turn.rbegin()->first.first);
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &last, 1, MPI_INT64_T, MPI_MAX, members), "MPI_Allreduce");
  std::vector<std::uint64_t> differs(static_cast<std::size_t>((last + 1) * tasks), 0);
  const auto add = [&](const Digests& turn, bool plus) {
    for (const auto& [key, sum] : turn) {
      differs[static_cast<std::size_t>(key.first * tasks + key.second)] += plus ? sum : ~sum + 1;
    }
  };
  add(first, true);
  add(second, false);
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, differs.data(), static_cast<int>(differs.size()), MPI_UINT64_T, MPI_SUM, members),
      "MPI_Allreduce");
  const auto found = std::find_if(differs.begin(), differs.end(), [](std::uint64_t sum) { return sum != 0; });
  if (found == differs.end()) return {};
  const std::int64_t at = found - differs.begin();
  return fmt::format(
      "'{}' (pass {}) has other results over other ranges, in another order and with other garbage; it leaves elements "
      "of "
      "writes() as they were, or depends on something that it does not declare",
      body_.task(static_cast<int>(at % tasks)).name, at / tasks);
}

}  // namespace tombolo
