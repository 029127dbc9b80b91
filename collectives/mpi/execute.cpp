#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/progress.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

namespace {

class Execution {
 public:
  Execution(const Schedule& schedule, Memory& memory, MPI_Comm communicator)
      : schedule_(schedule), memory_(memory), communicator_(communicator), progress_(schedule) {
    int* limit = nullptr;
    int found = 0;
    check_mpi(MPI_Comm_get_attr(communicator, MPI_TAG_UB, &limit, &found), "MPI_Comm_get_attr");
    if (found != 0) largest_tag_ = *limit;
    most_elements_ = std::min<std::int64_t>(most_in_message(memory.type()), std::numeric_limits<int>::max());
  }

  void run() {
    while (true) {
      start_all();
      if (progress_.done()) return;
      wait_some();
    }
  }

 private:
  // Local steps are complete at once and may let further ones start.
  void start_all() {
    for (StepId id = progress_.next(); id != no_step; id = progress_.next()) {
      const Step& step = schedule_.step(id);
      if (step.is_message()) {
        post(id, step);
        continue;
      }
      if (step.kind == Step::Kind::copy) {
        memory_.copy(schedule_.from(step), schedule_.into(step), communicator_);
      } else {
        memory_.reduce(schedule_.from(step), schedule_.into(step));
      }
      progress_.complete(id);
    }
  }

  void post(StepId id, const Step& step) {
    const bool sends = step.kind == Step::Kind::send;
    const auto pieces = sends ? schedule_.from(step) : schedule_.into(step);
    if (step.tag > largest_tag_) {
      throw Error(fmt::format("message {} from one rank to another, and this MPI has {} tags", step.tag, largest_tag_),
                  "take larger segments");
    }
    if (step.count <= most_elements_) {
      post(id, sends, pieces, step);
      return;
    }
    // Both ends cut at the same elements, and MPI keeps messages of one tag in order.
    std::vector<Piece> part;
    std::int64_t room = most_elements_;
    for (Piece left : pieces) {
      while (left.count > 0) {
        const std::int64_t now = std::min(left.count, room);
        part.push_back({left.buffer, left.offset, now});
        left = {left.buffer, left.offset + now, left.count - now};
        room -= now;
        if (room > 0) continue;
        post(id, sends, part, step);
        part.clear();
        room = most_elements_;
      }
    }
    if (!part.empty()) post(id, sends, part, step);
  }

  // One message.
  void post(StepId id, bool sends, std::span<const Piece> pieces, const Step& step) {
    if (pieces.size() <= 1) {
      void* const address = pieces.empty() ? nullptr : memory_.address(pieces[0]);
      const int count = pieces.empty() ? 0 : static_cast<int>(pieces[0].count);
      post(id, sends, address, count, memory_.type(), step.peer, step.tag);
      return;
    }
    const std::int64_t count = std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0},
                                               [](std::int64_t sum, const Piece& piece) { return sum + piece.count; });
    // SimGrid would hold what is sent from several places, which phantom memory is there to avoid.
    if (memory_.holds_nothing(pieces, count)) {
      post(id, sends, memory_.phantom(), static_cast<int>(count), memory_.type(), step.peer, step.tag);
      return;
    }
    std::vector<MemoryRange> ranges;
    for (const Piece& piece : pieces) ranges.push_back({memory_.address(piece), piece.count});
    const Datatype all = Datatype::gathered(ranges, memory_.type());
    post(id, sends, MPI_BOTTOM, 1, all, step.peer, step.tag);
  }

  void post(StepId id, bool sends, void* address, int count, MPI_Datatype type, Rank peer, int tag) {
    requests_.push_back(MPI_REQUEST_NULL);
    posted_.push_back(id);
    if (sends) {
      check_mpi(MPI_Isend(address, count, type, peer, tag, communicator_, &requests_.back()), "MPI_Isend");
    } else {
      check_mpi(MPI_Irecv(address, count, type, peer, tag, communicator_, &requests_.back()), "MPI_Irecv");
    }
  }

  void wait_some() {
    if (requests_.empty()) throw std::logic_error("a schedule that never ends: prove it first");
    machine::wait_some(requests_, finished_);
    for (const int which : finished_) finish(posted_[static_cast<std::size_t>(which)]);
    // Keep what is still under way together, in order.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      if (requests_[i] == MPI_REQUEST_NULL) continue;
      requests_[kept] = requests_[i];
      posted_[kept++] = posted_[i];
    }
    requests_.resize(kept);
    posted_.resize(kept);
  }

  // A step that travels in several messages is complete when the last of them is.
  void finish(StepId id) {
    const std::int64_t count = schedule_.step(id).count;
    if (count > most_elements_) {
      const auto [at, first] = unfinished_.try_emplace(id, (count - 1) / most_elements_ + 1);
      if (--at->second > 0) return;
      unfinished_.erase(at);
    }
    progress_.complete(id);
  }

  const Schedule& schedule_;
  Memory& memory_;
  MPI_Comm communicator_;
  Progress progress_;
  int largest_tag_ = 32767;  // the least that MPI allows
  std::vector<MPI_Request> requests_;
  std::vector<StepId> posted_;  // the step of each request
  std::vector<int> finished_;
  std::int64_t most_elements_ = 1;                         // that one message may carry
  std::unordered_map<StepId, std::int64_t> unfinished_{};  // messages, of steps in several that have begun to arrive
};

}  // namespace

void execute(const Schedule& schedule, Memory& memory, Scratch& scratch, MPI_Comm communicator) {
  memory.place_scratch(schedule.scratch(), scratch);
  Execution(schedule, memory, communicator).run();
}

}  // namespace tombolo
