// Rules of tasks on two arrays: a move, the pack and unpack of a move that spends its source, and a swap.
#include <algorithm>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

// Throws Error if the two arrays of a task do not match: equal in shape and type for a move, in declaration for a swap.
void check_pair(const Declaration& program, const DeclaredTask& task, bool moves) {
  const DeclaredArray& from = array_of(program, task.array);
  const DeclaredArray& to = array_of(program, task.to);
  const MatrixShape wanted = task.transposed ? MatrixShape{from.shape.columns, from.shape.rows} : from.shape;
  const bool alike = moves || (from.slices == to.slices && from.root == to.root && from.everywhere == to.everywhere &&
                               from.halo == to.halo && from.placed == to.placed && from.reduction == to.reduction);
  if (to.shape == wanted && from.element == to.element && from.type == to.type && alike && task.array != task.to)
    return;
  refuse(
      program,
      fmt::format("'{}' is about {}, {} x {} of {} B, and {}, {} x {} of {} B", task.name, from.name, from.shape.rows,
                  from.shape.columns, from.element, to.name, to.shape.rows, to.shape.columns, to.element),
      moves ? "both must be of one size and type, or one the other's transpose where that is asked"
            : "only two arrays that are declared alike can be swapped");
}

constexpr const char* nothing_moves = "view: nothing moves";

bool is_view(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task) {
  return task.spends && redistribution_of(program, arrangement, task).is_view();
}

class MoveRules : public TaskRules {
 public:
  Activity activity() const override { return Activity::collective; }
  void check(const Declaration& program, const DeclaredTask& task) const override {
    // A swap of memories must cover all that is held of both arrays.
    for (const int of : {task.array, task.to}) {
      const DeclaredArray& a = array_of(program, of);
      need(!a.partial(), program, task, of, "no partial value");
      const bool in_one_way = a.halo == 0 && a.least == 0 && !(a.sliced() && (a.root || a.everywhere));
      need(!task.spends || in_one_way, program, task, of, "held in one way, without a halo");
      const bool once = !a.placed || a.placed->exact() || a.placed->replicated();
      need(!task.spends || once, program, task, of, "without copies of its elements");
      // Swapped memories have room for both arrays under the present shares only.
      if (!task.spends || !a.sliced() || !program.slices[static_cast<std::size_t>(a.slices)].adapts) continue;
      refuse(program,
             fmt::format("'{}' spends an array in {}, whose shares may change", task.name,
                         program.slices[static_cast<std::size_t>(a.slices)].name),
             "move it without spending it, or leave out .adapts");
    }
    check_pair(program, task, true);
    need(!(task.partly && array_of(program, task.to).everywhere), program, task, task.to, "updated where it is once");
    need(!(task.partly && task.spends), program, task, task.to, "updated by a move that keeps its source");
  }
  Touches touches(const Declaration& program, const DeclaredTask& task) const override {
    Touches found;
    add_items(program, task.array, found.reads);
    if (task.partly) add_items(program, task.to, found.reads);
    add_items(program, task.to, task.spends ? found.reads : found.writes);
    if (task.spends) found.writes = found.reads;  // their memories are used in turn
    return found;
  }
  void follow(const Declaration& /*program*/, const DeclaredTask& task, NewestValues& values) const override {
    if (task.spends) return;  // the unpack's follow() covers both arrays
    values.need_moved(task, task.array);
    values.wrote_moved(task.to);
  }
  bool allows_panels(const Declaration& program, const DeclaredTask& task, int domain) const override {
    // Moved data must be contiguous, unlike the panels of a whole.
    for (const int of : {task.array, task.to}) {
      const DeclaredArray& a = array_of(program, of);
      if (a.slices == domain && (a.root || a.everywhere)) return false;
    }
    return true;
  }
  std::optional<Request> request(const Declaration& program, const Arrangement& arrangement, const Action& action,
                                 Rank member) const override {
    const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
    return redistribution_of(program, arrangement, task).request(member, array_of(program, task.array).element);
  }
  std::string how(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task) const override {
    return is_view(program, arrangement, task) ? nothing_moves : "every element is on its rank";
  }
};

// The work of a pack is the number of elements put in order within each rank.
class PackRules : public MoveRules {
 public:
  Activity activity() const override { return Activity::computation; }
  Touches touches(const Declaration& program, const DeclaredTask& task) const override {
    Touches found;
    add_items(program, task.array, found.reads);
    add_items(program, task.to, found.writes);
    return found;
  }
  void follow(const Declaration& /*program*/, const DeclaredTask& task, NewestValues& values) const override {
    values.need_moved(task, task.array);
  }
  bool allows_panels(const Declaration& /*program*/, const DeclaredTask& /*task*/, int /*domain*/) const override {
    return true;
  }
  std::optional<Request> request(const Declaration& /*program*/, const Arrangement& /*arrangement*/,
                                 const Action& /*action*/, Rank /*member*/) const override {
    return std::nullopt;
  }
  std::vector<MemberWork> work(const Declaration& program, const Arrangement& arrangement,
                               const Action& action) const override {
    const DeclaredTask& task = program.tasks[static_cast<std::size_t>(action.task)];
    if (task.kernel.empty()) return {};
    return elements(program, arrangement, task);
  }
  std::string how(const Declaration& program, const Arrangement& arrangement, const DeclaredTask& task) const override {
    if (is_view(program, arrangement, task)) return nothing_moves;
    const std::vector<MemberWork> all = elements(program, arrangement, task);
    const bool nothing = std::all_of(all.begin(), all.end(), [](const MemberWork& work) { return work.units == 0; });
    return nothing ? "in order as it is" : how_ordered(redistribution_of(program, arrangement, task));
  }

 private:
  virtual std::int64_t put_in_order(const RankMove& move) const { return move.packed(); }
  virtual std::string how_ordered(const Redistribution& moves) const {
    return moves.turns() ? "blocks for each rank, transposed" : "blocks for each rank, copied";
  }
  std::vector<MemberWork> elements(const Declaration& program, const Arrangement& arrangement,
                                   const DeclaredTask& task) const {
    const Redistribution moves = redistribution_of(program, arrangement, task);
    std::vector<MemberWork> work;
    for (Rank member = 0; member < arrangement.ranks(); ++member) {
      work.push_back({.each = 1, .units = put_in_order(RankMove(moves, member, Source::spent))});
    }
    return work;
  }
};

class UnpackRules : public PackRules {
 public:
  Touches touches(const Declaration& program, const DeclaredTask& task) const override {
    return MoveRules::touches(program, task);
  }
  void follow(const Declaration& /*program*/, const DeclaredTask& task, NewestValues& values) const override {
    values.wrote_moved(task.to);
    values.set(task.array, {});
  }

 private:
  std::int64_t put_in_order(const RankMove& move) const override { return move.unpacked(); }
  std::string how_ordered(const Redistribution& /*moves*/) const override {
    return "blocks that arrived, put together";
  }
};

// Appends all held parts of an array.
void add_all(const Declaration& program, int array, std::vector<Touch>& to) {
  const DeclaredArray& used = array_of(program, array);
  if (used.sliced()) to.push_back({array, Aspect::slices});
  if (!used.sliced() || used.root || used.everywhere) to.push_back({array, Aspect::whole});
  if (used.halo > 0) to.push_back({array, Aspect::halo});
}

class SwapRules : public TaskRules {
 public:
  Activity activity() const override { return Activity::computation; }
  bool swaps() const override { return true; }
  void check(const Declaration& program, const DeclaredTask& task) const override { check_pair(program, task, false); }
  Touches touches(const Declaration& program, const DeclaredTask& task) const override {
    Touches found;
    for (const int array : {task.array, task.to}) add_all(program, array, found.writes);
    found.reads = found.writes;
    return found;
  }
  void follow(const Declaration& /*program*/, const DeclaredTask& task, NewestValues& values) const override {
    values.swap(task.array, task.to);
  }
  std::string how(const Declaration& /*program*/, const Arrangement& /*arrangement*/,
                  const DeclaredTask& /*task*/) const override {
    return "names change places";
  }
};

}  // namespace

const TaskRules& move_rules() {
  static const MoveRules rules;
  return rules;
}

const TaskRules& pack_rules() {
  static const PackRules rules;
  return rules;
}

const TaskRules& unpack_rules() {
  static const UnpackRules rules;
  return rules;
}

const TaskRules& swap_rules() {
  static const SwapRules rules;
  return rules;
}

}  // namespace tombolo
