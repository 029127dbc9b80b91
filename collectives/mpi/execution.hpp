#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/mpi/messages.hpp>
#include <tombolo/collectives/mpi/prepared.hpp>
#include <tombolo/collectives/progress.hpp>

namespace tombolo {

/// Tags that a call's messages may have.
struct Tags {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// One call that is under way on one rank: what has been started, what is complete, its scratch. Blocking, non-blocking
/// and persistent calls are all one of these, and it serves one call after the other, keeping its room.
class Execution {
 public:
  Execution(MPI_Comm communicator, std::span<std::byte> phantom) : communicator_(communicator), scratch_(phantom) {}

  /// Begins a call; the plan must last until it is done. Throws Error when there are not enough tags.
  void begin(const PreparedPlan& plan, const Memory& memory, Tags tags);
  /// Starts all that may be started, and does local steps at once.
  void advance(Messages& messages);
  /// One of its messages is complete.
  void complete(StepId id);
  /// All that have been started are complete.
  void complete_started();

  bool done() const { return done_; }
  Tags tags() const { return tags_; }
  /// Whether nothing is left but to wait for what has been started.
  bool only_waits() const { return !stages_ && progress_.all_started(); }

 private:
  void begin(const PreparedSchedule& schedule, Memory& memory);
  void begin_learning();
  void begin_learned();
  void start_all(Messages& messages);
  void post(Messages& messages, StepId id, const Step& step);
  void post_in_parts(Messages& messages, StepId id, const Step& step, std::span<const Piece> pieces);
  void post(Messages& messages, StepId id, const Step& step, std::span<const Piece> pieces);
  void post_pieces(Messages& messages, StepId id, const Step& step, std::span<const Piece> pieces);
  void post(Messages& messages, StepId id, const Step& step, void* address, int count, MPI_Datatype type);

  MPI_Comm communicator_;
  Scratch scratch_;
  const PreparedPlan* plan_ = nullptr;
  const PreparedSchedule* now_ = nullptr;  // what is carried out
  Memory* where_ = nullptr;                // and where: memory_, or learning_
  Memory memory_;
  Progress progress_;
  Tags tags_;
  bool done_ = true;
  bool schedule_done_ = false;
  bool stages_ = false;  // messages of several pieces are put together here, not by MPI
  std::unordered_map<StepId, std::int64_t> unfinished_{};  // messages, of steps in several that have begun to arrive

  std::vector<std::int64_t> counts_;  // while they are learned
  Memory learning_;
  std::optional<PreparedSchedule> learned_;
};

/// Throws Error unless the schedule's messages have tags.
void check_tags(const PreparedSchedule& schedule, Tags tags);

}  // namespace tombolo
