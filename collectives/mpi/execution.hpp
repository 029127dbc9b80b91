#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/plan/prepared.hpp>
#include <tombolo/collectives/plan/progress.hpp>
#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

class Execution;

/// The pending messages on one communicator, of all pending calls.
class Messages {
 public:
  /// The call and step of a message.
  struct Origin {
    Execution* execution = nullptr;
    StepId step = no_step;
  };

  /// Returns a request for a new message, to be filled at once.
  MPI_Request& add(const Origin& origin) {
    origins_.push_back(origin);
    return requests_.emplace_back(MPI_REQUEST_NULL);
  }
  bool empty() const { return requests_.empty(); }

  /// Waits for at least one message. Returns and removes the completed ones; the reference is valid until the next
  /// call.
  const std::vector<Origin>& wait_some();
  /// wait_some() without waiting.
  const std::vector<Origin>& test_some();
  /// Waits for all messages and removes them.
  void wait_all();
  /// Throws the error of the first message that has failed since the last call. One that fails counts as complete, as
  /// other ranks wait for those that follow.
  void throw_error();

 private:
  void take_finished();
  void note(int code);

  std::vector<MPI_Request> requests_;
  std::vector<Origin> origins_;
  std::vector<int> indices_;
  std::vector<Origin> finished_;
  std::vector<MPI_Status> statuses_;
  int error_ = MPI_SUCCESS;
};

/// Who takes part in calls: the ranks of a communicator, or some of them.
struct Peers {
  MPI_Comm communicator = MPI_COMM_NULL;
  std::vector<Rank> ranks{};  ///< of the communicator, by the ranks of plans; empty: these are the same

  Rank of(Rank rank) const { return ranks.empty() ? rank : ranks[static_cast<std::size_t>(rank)]; }
};

/// A range of message tags for a call.
struct Tags {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// One call in progress on one rank: started and completed steps, and scratch. Used by blocking, non-blocking and
/// persistent calls; reused for one call after another.
class Execution {
 public:
  /// The peers and the pool of scratch must outlive the object.
  Execution(const Peers& peers, ScratchPool& pool) : peers_(peers), pool_(pool) {}

  /// Begins a call; the plan must last until its completion. Throws Error if there are not enough tags.
  void begin(const PreparedPlan& plan, const Memory& memory, Tags tags);
  /// Starts all steps that are ready, and executes local steps at once.
  void advance(Messages& messages);
  /// Marks a message of a step as complete.
  void complete(StepId id);
  /// Marks all started steps as complete.
  void complete_started();

  bool done() const { return done_; }
  Tags tags() const { return tags_; }
  /// Returns true if all steps have been started, and completion needs no further work.
  bool only_waits() const { return !stages_ && progress_.all_started(); }

 private:
  void begin(const PreparedSchedule& schedule, Memory& memory);
  void begin_learning();
  void begin_learned();
  void start_all(Messages& messages);
  void post(Messages& messages, StepId id, const Step& step);
  void post_in_parts(Messages& messages, StepId id, const Step& step, std::span<const BufferRange> pieces);
  void post(Messages& messages, StepId id, const Step& step, std::span<const BufferRange> pieces);
  void post_pieces(Messages& messages, StepId id, const Step& step, std::span<const BufferRange> pieces);
  void post(Messages& messages, StepId id, const Step& step, void* address, int count, MPI_Datatype type);

  const Peers& peers_;
  ScratchPool& pool_;
  ScratchPool::Lease scratch_;  // of the schedule in progress
  const PreparedPlan* plan_ = nullptr;
  const PreparedSchedule* now_ = nullptr;  // the schedule in progress
  Memory* where_ = nullptr;                // its buffers: memory_, or learning_
  Memory memory_;
  Progress progress_;
  std::vector<StepId> later_{};  // ready, to be started when all receives are
  Tags tags_;
  bool done_ = true;
  bool schedule_done_ = false;
  bool stages_ = false;  // copies messages of several buffer ranges through scratch, without a derived datatype
  std::unordered_map<StepId, std::int64_t> unfinished_{};  // remaining messages of steps that consist of several

  std::vector<std::int64_t> counts_;  // counts known so far, while learning
  Memory learning_;
  std::shared_ptr<const PreparedSchedule> learned_;
};

/// Throws Error unless there are tags for all messages of the schedule.
void check_tags(const PreparedSchedule& schedule, Tags tags);

}  // namespace tombolo
