#pragma once

#include <mpi.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/framework/program/plan/costs.hpp>

namespace tombolo {

class CheckMode;

/// Context of one run of a program on one member.
struct RunContext {
  ProgramBody& body;
  Arrangement& arrangement;  ///< shares may change during the run
  Rank member;
  MPI_Comm communicator;  ///< of the members
  Collectives& collectives;
  Planner& planner;
  Costs& costs;
  Recorder& recorder;
  Session& session;
  CheckMode* check = nullptr;  ///< null unless bodies are checked
};

}  // namespace tombolo
