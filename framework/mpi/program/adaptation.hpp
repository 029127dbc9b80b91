#pragma once

#include <vector>

#include <mpi.h>

#include <tombolo/collectives/planner.hpp>
#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/framework/mpi/program/transfers.hpp>
#include <tombolo/framework/program/rebalance.hpp>

namespace tombolo {

/// Looks, now and then between the passes of a loop, how long members computed, and changes the shares of slices that
/// allow it when that pays for moving their arrays.
class Adaptation {
 public:
  Adaptation(ProgramBody& body, Arrangement& arrangement, Rank member, MPI_Comm communicator, Collectives& collectives,
             Planner& planner, Transfers& transfers, Recorder& recorder, Session& session, int loop);

  /// After so many passes. Collective where it is time to look.
  void after(std::int64_t passes);
  std::int64_t changes() const { return changes_; }

 private:
  struct Watched {
    int slices = 0;
    Rebalance rebalance;
    double until = 0;  // seconds of computing that were looked at
  };
  double computing(const Watched& watched) const;
  double move_seconds(int slices, const Division& next) const;
  void look(std::int64_t passes);
  void change(int slices, Division division);
  void move_array(ArrayMemory& array, const Arrangement& next);

  ProgramBody& body_;
  Arrangement& arrangement_;
  Rank member_;
  MPI_Comm communicator_;
  Collectives& collectives_;
  Planner& planner_;
  Transfers& transfers_;
  Recorder& recorder_;
  Session& session_;
  int loop_;
  std::vector<Watched> watched_;
  std::int64_t looked_ = 0;     // after so many passes
  std::int64_t next_look_ = 2;  // the first pass warms up
  double looked_at_ = 0;        // when
  std::int64_t changes_ = 0;
};

}  // namespace tombolo
