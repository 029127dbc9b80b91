// Runners of tasks on two arrays: a move, the pack and unpack of a move that spends its source, and a swap.
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

RankMove move_of(const RunContext& run, const DeclaredTask& task) {
  return {redistribution_of(run.body.declared, run.arrangement, task), run.member,
          task.spends ? Source::spent : Source::kept};
}

/// A move: packs, exchanges and unpacks, or only exchanges between a pack and an unpack if the source is spent.
class MoveRunner : public CollectiveRunner {
 public:
  MoveRunner(const RunContext& run, const Action& action)
      : CollectiveRunner(run, action),
        move_(move_of(run, task_)),
        packed_(room_for(move_.packed_room())),
        arrived_(room_for(move_.arrived_room())) {}

 private:
  Buffers buffers() override {
    if (copies() && move_.packs()) move_.pack(element(), memory());
    return {move_.sent(element(), memory()), move_.received(memory())};
  }
  void finish() override {
    if (copies()) move_.unpack(element(), memory());
  }
  bool copies() const { return !task_.spends && !run_.session.phantom(); }
  Bytes element() const { return array().declared().element; }
  MoveMemory memory() const { return {held(array()), held(other_array()), packed_.data(), arrived_.data()}; }

  RankMove move_;
  Storage<std::byte> packed_;
  Storage<std::byte> arrived_;
};

/// Pack or unpack within each rank. Without moved elements, the memories may still be swapped.
class PutInOrderRunner : public TaskRunner {
 public:
  PutInOrderRunner(const RunContext& run, const Action& action) : TaskRunner(run, action), move_(move_of(run, task_)) {}

  void run(const Between& /*between*/) final {
    const auto moved = static_cast<double>(elements());
    if (moved == 0) return put_in_order();
    run_.session.compute(moved, [&] { put_in_order(); });
    run_.recorder.computed(action_.task, moved);
  }

 protected:
  virtual std::int64_t elements() const = 0;
  virtual void put_in_order() = 0;
  Bytes element() const { return array().declared().element; }
  MoveMemory memory() const { return {.from = array().data(), .to = other_array().data()}; }

  RankMove move_;
};

class PackRunner : public PutInOrderRunner {
  using PutInOrderRunner::PutInOrderRunner;
  std::int64_t elements() const override { return move_.packed(); }
  void put_in_order() override { move_.pack(element(), memory()); }
};

class UnpackRunner : public PutInOrderRunner {
  using PutInOrderRunner::PutInOrderRunner;
  std::int64_t elements() const override { return move_.unpacked(); }
  void put_in_order() override {
    move_.unpack(element(), memory());
    if (move_.ends_in_source()) other_array().swap_memory(array());
  }
};

class SwapRunner : public TaskRunner {
 public:
  using TaskRunner::TaskRunner;
  void run(const Between& /*between*/) override { array().swap(other_array()); }
};

}  // namespace

std::unique_ptr<TaskRunner> move_runner(const RunContext& run, const Action& action) {
  return std::make_unique<MoveRunner>(run, action);
}
std::unique_ptr<TaskRunner> pack_runner(const RunContext& run, const Action& action) {
  return std::make_unique<PackRunner>(run, action);
}
std::unique_ptr<TaskRunner> unpack_runner(const RunContext& run, const Action& action) {
  return std::make_unique<UnpackRunner>(run, action);
}
std::unique_ptr<TaskRunner> swap_runner(const RunContext& run, const Action& action) {
  return std::make_unique<SwapRunner>(run, action);
}

}  // namespace tombolo
