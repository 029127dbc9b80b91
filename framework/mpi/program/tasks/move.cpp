// Runners of tasks on two arrays: a move, the pack and unpack of a move that spends its source, and a swap.
#include <tombolo/framework/mpi/program/tasks/collective_runner.hpp>
#include <tombolo/framework/program/declare/requests.hpp>

namespace tombolo {

namespace {

Redistribution moves_of(const RunContext& run, const DeclaredTask& task) {
  return redistribution_of(run.body.declared, run.arrangement, task);
}

/// Move that keeps both arrays; data out of order is packed and unpacked in separate memory.
class KeepingMoveRunner : public CollectiveRunner {
 public:
  KeepingMoveRunner(const RunContext& run, const Action& action)
      : CollectiveRunner(run, action),
        moves_(moves_of(run, task_)),
        packs_(moves_.packs(run.member)),
        unpacks_(moves_.unpacks(run.member)) {
    if (packs_) sent_ = room_for(moves_.sends(run.member));
    if (unpacks_) received_ = room_for(moves_.receives(run.member));
  }

 private:
  Buffers buffers() override {
    std::byte* const from = held(array());
    std::byte* const to = held(other_array());
    const bool copies = moves_.operation() == Operation::bcast;  // a bcast has one buffer, in which the root packs
    std::byte* const packed = copies ? to : sent_.data();
    if (packs_ && !run_.session.phantom()) moves_.pack(run_.member, element(), from, packed);
    return {packs_ ? packed : from, unpacks_ ? received_.data() : to};
  }
  void finish() override {
    if (!unpacks_ || run_.session.phantom()) return;
    moves_.unpack(run_.member, element(), held(array()), received_.data(), held(other_array()));
  }
  Bytes element() const { return array().declared().element; }

  Redistribution moves_;
  bool packs_;
  bool unpacks_;
  Storage<std::byte> sent_;
  Storage<std::byte> received_;
};

/// Move that spends its source, between a pack and an unpack, using both memories in turn.
class SpendingMoveRunner : public CollectiveRunner {
 public:
  SpendingMoveRunner(const RunContext& run, const Action& action)
      : CollectiveRunner(run, action), moves_(moves_of(run, task_), run.member) {}

 private:
  Buffers buffers() override {
    std::byte* const from = held(array());
    std::byte* const to = held(other_array());
    return {moves_.sent(array().declared().element, from, to), moves_.received(from, to)};
  }

  SpendingMove moves_;
};

/// Pack or unpack within each rank. Without moved elements, the memories may still be swapped.
class PutInOrderRunner : public TaskRunner {
 public:
  PutInOrderRunner(const RunContext& run, const Action& action)
      : TaskRunner(run, action), moves_(moves_of(run, task_), run.member) {}

  void run(const std::function<void()>& /*between*/) final {
    const auto moved = static_cast<double>(elements());
    if (moved == 0) return put_in_order();
    run_.session.compute(moved, [&] { put_in_order(); });
    run_.recorder.computed(action_.task, moved);
  }

 protected:
  virtual std::int64_t elements() const = 0;
  virtual void put_in_order() = 0;
  Bytes element() const { return array().declared().element; }

  SpendingMove moves_;
};

class PackRunner : public PutInOrderRunner {
  using PutInOrderRunner::PutInOrderRunner;
  std::int64_t elements() const override { return moves_.packed(); }
  void put_in_order() override { moves_.pack(element(), array().data(), other_array().data()); }
};

class UnpackRunner : public PutInOrderRunner {
  using PutInOrderRunner::PutInOrderRunner;
  std::int64_t elements() const override { return moves_.unpacked(); }
  void put_in_order() override {
    moves_.unpack(element(), array().data(), other_array().data());
    if (moves_.ends_in_source()) other_array().swap_memory(array());
  }
};

class SwapRunner : public TaskRunner {
 public:
  using TaskRunner::TaskRunner;
  void run(const std::function<void()>& /*between*/) override { array().swap(other_array()); }
};

}  // namespace

std::unique_ptr<TaskRunner> move_runner(const RunContext& run, const Action& action) {
  if (run.body.task(action.task).spends) return std::make_unique<SpendingMoveRunner>(run, action);
  return std::make_unique<KeepingMoveRunner>(run, action);
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
