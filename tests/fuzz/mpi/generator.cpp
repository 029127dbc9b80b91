#include "generator.hpp"

#include <algorithm>
#include <utility>

namespace tombolo::fuzz {

namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const Accepts& accepts) : draw_(seed), accepts_(accepts) { program_.seed = seed; }

  AbstractProgram program() {
    const std::int64_t domains = draw_.between(1, 3);
    for (std::int64_t i = 0; i < domains; ++i) program_.domains.push_back(domain());
    const std::int64_t arrays = draw_.between(3, 9);
    for (std::int64_t i = 0; i < arrays; ++i) program_.arrays.push_back(array());
    for (std::int64_t i = draw_.between(0, 3); i > 0; --i) program_.arrays.push_back(partial());
    program_.runs = draw_.chance(30) ? static_cast<int>(draw_.between(2, 3)) : 1;
    const auto most = static_cast<std::size_t>(draw_.between(2, 12));
    for (int attempt = 0; attempt < 60 && program_.tasks.size() < most; ++attempt) add();
    return std::move(program_);
  }

 private:
  AbstractDomain domain() {
    AbstractDomain domain;
    domain.extents.push_back(draw_.of<std::int64_t>({0, 1, 2, 3, 4, 5, 7, 8, 12, 17, 24}));
    for (std::int64_t d = draw_.of<std::int64_t>({0, 0, 0, 1, 1, 2}); d > 0; --d) {
      domain.extents.push_back(draw_.between(1, 4));
    }
    if (draw_.chance(25)) {
      for (std::int64_t i = 0; i < domain.extents[0]; ++i) domain.weights.push_back(draw_.between(0, 5));
    }
    domain.grain = draw_.of<std::int64_t>({1, 1, 1, 2, 3, 10});
    domain.given = draw_.chance(20) ? draw_.next() | 1 : 0;
    domain.adapts = draw_.chance(40);
    return domain;
  }

  // Sizes meet often, so that arrays can be moved and change places.
  std::vector<std::int64_t> extents() {
    if (!program_.arrays.empty() && draw_.chance(50)) {
      const AbstractArray& like = draw_.of(program_.arrays);
      if (draw_.chance(60) || like.extents.empty()) return like.extents;
      return {like.columns(), like.rows()};
    }
    std::vector<std::int64_t> extents;
    if (draw_.chance(80)) extents = draw_.of(program_.domains).extents;
    const auto dimensions = static_cast<std::size_t>(draw_.between(0, 4));
    while (extents.size() < dimensions) {
      extents.push_back(draw_.chance(30) ? draw_.of(program_.domains).extents.front() : draw_.between(1, 4));
    }
    return extents;
  }

  bool fits(const AbstractDomain& domain, const std::vector<std::int64_t>& extents) const {
    return extents.size() >= domain.extents.size() &&
           std::equal(domain.extents.begin(), domain.extents.end(), extents.begin());
  }

  AbstractArray array() {
    AbstractArray array;
    if (!program_.arrays.empty() && draw_.chance(25)) return draw_.of(program_.arrays);
    array.type = draw_.of<Type>({Type::u64, Type::u64, Type::u32, Type::f64, Type::f64});
    array.extents = extents();
    if (array.extents.empty()) {
      array.everywhere = true;
      return array;
    }
    std::vector<int> fitting;
    for (std::size_t d = 0; d < program_.domains.size(); ++d) {
      if (fits(program_.domains[d], array.extents)) fitting.push_back(static_cast<int>(d));
    }
    const auto root = static_cast<int>(draw_.below(8));
    if (!fitting.empty() && draw_.chance(80)) {
      array.domain = draw_.of(fitting);
      if (draw_.chance(45)) array.root = root;
      if (draw_.chance(30)) array.everywhere = true;
      if (draw_.chance(35)) array.halo = draw_.between(1, 3);
      return array;
    }
    if (draw_.chance(30)) {
      array.placed = draw_.of<Placing>({Placing::rows, Placing::columns, Placing::blocks});
      array.placing = draw_.next();
      return array;
    }
    array.everywhere = draw_.chance(60);
    if (!array.everywhere || draw_.chance(50)) array.root = root;
    return array;
  }

  AbstractArray partial() {
    if (!program_.arrays.empty() && program_.arrays.back().op != Op::none && draw_.chance(40)) {
      return program_.arrays.back();
    }
    AbstractArray partial;
    partial.everywhere = true;
    partial.op = draw_.of<Op>({Op::sum, Op::sum, Op::product, Op::max, Op::min, Op::bits, Op::last});
    if (partial.op == Op::bits || partial.op == Op::last) return partial;
    partial.type = draw_.of<Type>({Type::u64, Type::u32, Type::f64});
    if (partial.type == Type::f64 && partial.op == Op::product) partial.op = Op::sum;
    for (std::int64_t d = draw_.of<std::int64_t>({0, 0, 1, 2}); d > 0; --d)
      partial.extents.push_back(draw_.between(1, 5));
    return partial;
  }

  int any() { return static_cast<int>(draw_.below(static_cast<std::int64_t>(program_.arrays.size()))); }

  // Accesses that may suit; most that do not are refused.
  void draw_accesses(AbstractTask& task) {
    const auto suits = [&](AccessKind kind, const AbstractArray& a) {
      if (kind == AccessKind::combines) return a.op != Op::none;
      if (kind == AccessKind::whole) return a.everywhere;
      if (a.op != Op::none || a.placed != Placing::none) return false;
      if (kind == AccessKind::around && a.halo == 0) return false;
      if (kind != AccessKind::writes && kind != AccessKind::updates && a.extents.empty()) return false;
      return task.kind == TaskKind::custom || a.domain == task.domain;
    };
    for (int i = 0; i < 12 && task.accesses.size() < 5; ++i) {
      const auto kind =
          draw_.of<AccessKind>({AccessKind::reads, AccessKind::around, AccessKind::around, AccessKind::whole,
                                AccessKind::writes, AccessKind::updates, AccessKind::combines});
      const AbstractAccess access{kind, any()};
      const bool farms = task.kind == TaskKind::farm && kind != AccessKind::writes && kind != AccessKind::whole;
      if (farms || !suits(kind, program_.array(access.array))) continue;
      const auto same = [&](const AbstractAccess& other) { return other.array == access.array; };
      if (std::any_of(task.accesses.begin(), task.accesses.end(), same)) continue;
      task.accesses.push_back(access);
    }
  }

  AbstractTask task() {
    AbstractTask task;
    task.kind = draw_.of<TaskKind>({TaskKind::scatterv, TaskKind::gatherv, TaskKind::bcast, TaskKind::allgatherv,
                                    TaskKind::allreduce, TaskKind::halo, TaskKind::halo, TaskKind::move, TaskKind::move,
                                    TaskKind::swap, TaskKind::compute, TaskKind::compute, TaskKind::compute,
                                    TaskKind::compute, TaskKind::farm, TaskKind::custom});
    task.seed = draw_.next();
    task.operations = draw_.of<double>({1, 1e3, 1e6, 1e9});
    if (task.kind == TaskKind::custom && draw_.chance(50)) task.operations = 0;
    if (task.kind == TaskKind::compute || task.kind == TaskKind::farm) {
      task.domain = static_cast<int>(draw_.below(static_cast<std::int64_t>(program_.domains.size())));
    }
    if (task.kind == TaskKind::compute || task.kind == TaskKind::farm || task.kind == TaskKind::custom) {
      draw_accesses(task);
      return task;
    }
    task.array = any();
    task.to = any();
    task.transposed = task.kind == TaskKind::move && draw_.chance(40);
    task.spends = task.kind == TaskKind::move && draw_.chance(35);
    return task;
  }

  // On one rank everything is alike.
  static bool alike(const AbstractArray& one, const AbstractArray& other) {
    return one.root == other.root && one.placed == other.placed && one.placing == other.placing;
  }

  void add() {
    AbstractProgram next = program_;
    next.tasks.push_back(task());
    AbstractTask& added = next.tasks.back();
    if (added.kind == TaskKind::swap && !alike(next.array(added.array), next.array(added.to))) return;
    const int before = program_.tasks.empty() ? -1 : program_.tasks.back().loop;
    if (before >= 0 && draw_.chance(75)) added.loop = before;
    if (before < 0 && draw_.chance(15)) {
      added.loop = static_cast<int>(next.loops.size());
      next.loops.push_back({draw_.of<std::int64_t>({0, 1, 2, 3, 3, 4, 6}), {}, draw_.next()});
      for (int i = 0; i < 3 && draw_.chance(50); ++i) {
        const int watched = any();
        if (next.array(watched).everywhere && next.array(watched).size() > 0)
          next.loops.back().watches.push_back(watched);
      }
    }
    if (accepts_(next)) program_ = std::move(next);
  }

  Draw draw_;
  const Accepts& accepts_;
  AbstractProgram program_;
};

}  // namespace

AbstractProgram generate(std::uint64_t seed, const Accepts& accepts) {
  return Generator(seed, accepts).program();
}

AbstractProgram falsified(AbstractProgram program, Draw& draw) {
  if (program.tasks.empty()) return program;
  const auto all = static_cast<std::int64_t>(program.tasks.size());
  const auto at = static_cast<std::size_t>(draw.below(all));
  std::vector<std::size_t> moving;  // omitted, they make what follows read what is stale
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    const TaskKind kind = program.tasks[i].kind;
    if (kind != TaskKind::compute && kind != TaskKind::farm && kind != TaskKind::custom) moving.push_back(i);
  }
  const std::int64_t how = draw.below(4);
  if (how < 2) {
    const std::size_t gone = moving.empty() || how == 1 ? at : draw.of(moving);
    program.tasks.erase(program.tasks.begin() + static_cast<std::ptrdiff_t>(gone));
  } else if (how == 2 && at > 0) {
    std::swap(program.tasks[at], program.tasks[at - 1]);
    std::swap(program.tasks[at].loop, program.tasks[at - 1].loop);
  } else if (!program.tasks[at].accesses.empty()) {
    AbstractAccess& access = program.tasks[at].accesses.front();
    const auto other = static_cast<int>(draw.below(static_cast<std::int64_t>(program.arrays.size())));
    const bool number = program.array(other).extents.empty();  // what reads its items does not compile
    const bool items = access.kind == AccessKind::reads || access.kind == AccessKind::around;
    if (program.array(other).placed == Placing::none && !(number && items)) access.array = other;
  }
  return program;
}

}  // namespace tombolo::fuzz
