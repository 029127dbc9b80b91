// Runner of a farm, for items of unknown cost. The root of the result array hands out chunks and computes too. Chunks
// shrink towards the end, in proportion to each rank's share. Every other rank computes one chunk and has one more in
// hand, so that it does not wait for answers; results travel to the root meanwhile. Guided self-scheduling
// (Polychronopoulos and Kuck 1987), weighted as by Hummel et al. 1996.
#include <algorithm>
#include <array>
#include <deque>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>
#include <tombolo/framework/program/adapt/chunks.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

constexpr int chunk_tag = 1;
constexpr int result_tag = 2;
constexpr int in_hand = 2;  // chunks in a rank's hands

/// State of the master and of a worker.
class Farm {
 public:
  Farm(const RunContext& run, int number)
      : run_(run),
        number_(number),
        task_(run.body.task(number)),
        slices_(run.body.domain(task_.slices)),
        caller_(run.body, run.body.work(number).on_range.accesses, number, run.check),
        array_(run.body.array(task_.array)),
        chunks_(run.arrangement.division(task_.slices), slices_.grain),
        row_(Datatype::contiguous(array_.declared().shape.columns, array_.type())) {}

 protected:
  void work(const Slice& slice) {
    const double operations = task_.operations * static_cast<double>(weight(slices_, slice.first, slice.count));
    run_.recorder.look();
    run_.session.compute(operations, [&] { caller_.call(run_.body.work(number_).on_range, slices_, slice); });
    run_.recorder.computed(number_, operations);
  }

  const RunContext& run_;
  int number_;
  const DeclaredTask& task_;
  const DeclaredDomain& slices_;
  BodyCaller caller_;
  ArrayMemory& array_;
  Chunks chunks_;
  Datatype row_;
};

/// The root: hands out chunks, receives results, and computes in between.
class Master : public Farm {
 public:
  using Farm::Farm;

  void run(Rank root, int ranks) {
    given_.resize(static_cast<std::size_t>(ranks));
    for (int chunk = 0; chunk < in_hand; ++chunk) {
      for (Rank rank = 0; rank < ranks; ++rank) {
        if (rank != root) give(rank);
      }
    }
    while (chunks_.left() > 0) {
      Slice mine = chunks_.next(root);
      for (; mine.count > 0; mine.first += slices_.grain, mine.count -= slices_.grain) {
        work({mine.first, std::min(mine.count, slices_.grain), mine.first});
        while (take(false)) {
        }
      }
    }
    while (out_ > 0) take(true);
    check_mpi(MPI_Waitall(static_cast<int>(coming_.size()), coming_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

 private:
  // Sends a chunk; an empty chunk means the end.
  void give(Rank rank) {
    const Slice chunk = chunks_.next(rank);
    const std::array<std::int64_t, 2> words{chunk.first, chunk.count};
    check_mpi(MPI_Send(words.data(), words.size(), MPI_INT64_T, rank, chunk_tag, run_.communicator), "MPI_Send");
    if (chunk.count == 0) return;
    given_[static_cast<std::size_t>(rank)].push_back(chunk);
    ++out_;
  }

  bool take(bool waits) {
    if (out_ == 0) return false;
    int there = 1;
    MPI_Status status;
    if (waits) {
      check_mpi(MPI_Probe(MPI_ANY_SOURCE, result_tag, run_.communicator, &status), "MPI_Probe");
    } else {
      check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, result_tag, run_.communicator, &there, &status), "MPI_Iprobe");
    }
    if (there == 0) return false;
    auto& given = given_[static_cast<std::size_t>(status.MPI_SOURCE)];
    const Slice chunk = given.front();
    given.pop_front();
    // A large result arrives only when its sender is back in MPI after a computation, so the receive is nonblocking.
    check_mpi(MPI_Irecv(array_.at(chunk), static_cast<int>(chunk.count), row_, status.MPI_SOURCE, result_tag,
                        run_.communicator, &coming_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
    --out_;
    give(status.MPI_SOURCE);
    return true;
  }

  std::vector<std::deque<Slice>> given_;  // by rank, in order
  int out_ = 0;                           // chunks without a result
  std::vector<MPI_Request> coming_;       // receives of the arriving results
};

/// Any rank but the root: computes chunks and sends results.
class Worker : public Farm {
 public:
  using Farm::Farm;

  void run(Rank root, Rank mine) {
    const std::int64_t half = chunks_.largest(mine);
    std::array<MPI_Request, in_hand> sent{};
    sent.fill(MPI_REQUEST_NULL);
    int ended = 0;
    for (std::size_t turn = 0; ended < in_hand; turn = (turn + 1) % in_hand) {
      std::array<std::int64_t, 2> words{};
      check_mpi(
          MPI_Recv(words.data(), words.size(), MPI_INT64_T, root, chunk_tag, run_.communicator, MPI_STATUS_IGNORE),
          "MPI_Recv");
      if (words[1] == 0) {
        ++ended;
        continue;
      }
      const Slice chunk{words[0], words[1], static_cast<std::int64_t>(turn) * half};
      check_mpi(MPI_Wait(&sent.at(turn), MPI_STATUS_IGNORE), "MPI_Wait");
      work(chunk);
      check_mpi(MPI_Isend(array_.at(chunk), static_cast<int>(chunk.count), row_, root, result_tag, run_.communicator,
                          &sent.at(turn)),
                "MPI_Isend");
    }
    check_mpi(MPI_Waitall(in_hand, sent.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
};

class FarmRunner : public TaskRunner {
 public:
  using TaskRunner::TaskRunner;
  void run(const Between& /*between*/) override {
    const Rank root = run_.arrangement.member(*array().declared().root);
    if (run_.member == root) {
      Master(run_, action_.task).run(root, run_.arrangement.ranks());
    } else {
      Worker(run_, action_.task).run(root, run_.member);
    }
  }
};

}  // namespace

std::unique_ptr<TaskRunner> farm_runner(const RunContext& run, const Action& action) {
  return std::make_unique<FarmRunner>(run, action);
}

}  // namespace tombolo
