#pragma once

#include <memory>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/framework/mpi/program/transfers.hpp>

namespace tombolo {

/// Does the actions of a program on one rank. Where they overlap, collectives and computation are two lanes: while one
/// collective is under way this rank computes in pieces, and sees to the collective between them.
class Runner {
 public:
  Runner(ProgramBody& body, const Arrangement& arrangement, Rank member, MPI_Comm communicator,
         Collectives& collectives, Transfers& transfers, Recorder& recorder, Session& session, const Costs& costs)
      : body_(body),
        arrangement_(arrangement),
        member_(member),
        communicator_(communicator),
        collectives_(collectives),
        transfers_(transfers),
        recorder_(recorder),
        session_(session),
        costs_(costs) {}

  /// One pass over the actions of a section, which outlive the recorder.
  void pass(const Section& section, const std::vector<Action>& actions);

 private:
  void in_order(const std::vector<Action>& actions);
  void in_lanes(const std::vector<Action>& actions);
  void compute(const Action& action, bool in_pieces);
  void compute(const Action& action, const Slice& slice, bool in_pieces);
  void put_in_order(const Action& action);
  void clear_partial(const DeclaredTask& task);
  void talk(const Action& action);
  void begin_talk();
  void see_to_talk();
  void end_talk();
  bool may_begin(std::size_t action) const;
  void look() { now_ = recorder_.now(); }
  void start(std::size_t action) { done_[action].start = now_; }
  void end(std::size_t action);
  void computed(int task, double operations);  // since the last look

  ProgramBody& body_;
  const Arrangement& arrangement_;
  Rank member_;
  MPI_Comm communicator_;
  Collectives& collectives_;
  Transfers& transfers_;
  Recorder& recorder_;
  Session& session_;
  const Costs& costs_;

  double now_ = 0;  // at the last look: in short passes the clock is dear, so what ends one action begins the next
  const std::vector<Action>* actions_ = nullptr;  // of this pass
  std::vector<Done> done_;
  std::vector<bool> complete_;
  std::vector<std::size_t> talks_;  // those that communicate, in their order
  std::size_t next_talk_ = 0;
  Pending under_way_;
  bool talking_ = false;
};

}  // namespace tombolo
