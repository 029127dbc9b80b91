#include <algorithm>
#include <array>
#include <deque>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/framework/mpi/program/farm.hpp>
#include <tombolo/framework/program/chunks.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

constexpr int chunk_tag = 1;
constexpr int result_tag = 2;
constexpr int in_hand = 2;  // chunks that a rank has at a time

/// What both sides know.
class Farm {
 public:
  Farm(ProgramBody& body, const Arrangement& arrangement, int number, MPI_Comm communicator, Recorder& recorder,
       Session& session)
      : body_(body),
        number_(number),
        task_(body.task(number)),
        slices_(body.declared.slices[static_cast<std::size_t>(task_.slices)]),
        array_(body.array(task_.array)),
        communicator_(communicator),
        recorder_(recorder),
        session_(session),
        chunks_(arrangement.division(task_.slices), slices_.grain),
        row_(Datatype::contiguous(array_.declared().shape.columns, array_.type())) {}

 protected:
  void work(const Slice& slice) {
    const double operations = task_.operations * static_cast<double>(weight(slices_, slice.first, slice.count));
    const double begin = recorder_.now();
    session_.compute(operations, [&] { body_.works[static_cast<std::size_t>(number_)].on_slice(slice); });
    recorder_.computed(number_, operations, recorder_.now() - begin);
  }

  ProgramBody& body_;
  int number_;
  const DeclaredTask& task_;
  const DeclaredSlices& slices_;
  ArrayMemory& array_;
  MPI_Comm communicator_;
  Recorder& recorder_;
  Session& session_;
  Chunks chunks_;
  Datatype row_;
};

/// The root: hands out, takes in, and works in between.
class Farmer : public Farm {
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
  // A chunk, or word that there is none.
  void give(Rank rank) {
    const Slice chunk = chunks_.next(rank);
    const std::array<std::int64_t, 2> words{chunk.first, chunk.count};
    check_mpi(MPI_Send(words.data(), words.size(), MPI_INT64_T, rank, chunk_tag, communicator_), "MPI_Send");
    if (chunk.count == 0) return;
    given_[static_cast<std::size_t>(rank)].push_back(chunk);
    ++out_;
  }

  bool take(bool waits) {
    if (out_ == 0) return false;
    int there = 1;
    MPI_Status status;
    if (waits) {
      check_mpi(MPI_Probe(MPI_ANY_SOURCE, result_tag, communicator_, &status), "MPI_Probe");
    } else {
      check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, result_tag, communicator_, &there, &status), "MPI_Iprobe");
    }
    if (there == 0) return false;
    auto& given = given_[static_cast<std::size_t>(status.MPI_SOURCE)];
    const Slice chunk = given.front();
    given.pop_front();
    // A large result only comes when its sender, who computes, is back in MPI: nobody waits for that meanwhile.
    check_mpi(MPI_Irecv(array_.at(chunk), static_cast<int>(chunk.count), row_, status.MPI_SOURCE, result_tag,
                        communicator_, &coming_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
    --out_;
    give(status.MPI_SOURCE);
    return true;
  }

  std::vector<std::deque<Slice>> given_;  // of each rank, in order
  int out_ = 0;                           // chunks that are not back
  std::vector<MPI_Request> coming_;       // results of those that are
};

/// Anybody else.
class Hand : public Farm {
 public:
  using Farm::Farm;

  void run(Rank root, Rank mine) {
    const std::int64_t half = chunks_.largest(mine);
    std::array<MPI_Request, in_hand> sent{};
    sent.fill(MPI_REQUEST_NULL);
    int ended = 0;
    for (std::size_t turn = 0; ended < in_hand; turn = (turn + 1) % in_hand) {
      std::array<std::int64_t, 2> words{};
      check_mpi(MPI_Recv(words.data(), words.size(), MPI_INT64_T, root, chunk_tag, communicator_, MPI_STATUS_IGNORE),
                "MPI_Recv");
      if (words[1] == 0) {
        ++ended;
        continue;
      }
      const Slice chunk{words[0], words[1], static_cast<std::int64_t>(turn) * half};
      check_mpi(MPI_Wait(&sent.at(turn), MPI_STATUS_IGNORE), "MPI_Wait");
      work(chunk);
      check_mpi(MPI_Isend(array_.at(chunk), static_cast<int>(chunk.count), row_, root, result_tag, communicator_,
                          &sent.at(turn)),
                "MPI_Isend");
    }
    check_mpi(MPI_Waitall(in_hand, sent.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
};

}  // namespace

void work_off(ProgramBody& body, const Arrangement& arrangement, int task, MPI_Comm communicator, Recorder& recorder,
              Session& session) {
  const DeclaredArray& results = body.array(body.task(task).array).declared();
  const Rank root = arrangement.member(*results.root);
  const Rank mine = arrangement.member(session.rank());
  if (mine == root) {
    Farmer(body, arrangement, task, communicator, recorder, session).run(root, arrangement.ranks());
  } else {
    Hand(body, arrangement, task, communicator, recorder, session).run(root, mine);
  }
}

}  // namespace tombolo
