#pragma once

#include <mpi.h>

#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/recorder.hpp>

namespace tombolo {

/// Works off the items of a farm, whose times nobody knows before: the root of the array of results hands out chunks,
/// which become smaller towards the end, each rank's in proportion to its share, and works too. Every other rank has
/// one chunk in hand and one before it, so that it does not wait for answers; results go to the root meanwhile. Guided
/// self-scheduling (Polychronopoulos and Kuck 1987), weighted as by Hummel et al. 1996. Collective over the members'
/// communicator.
void work_off(ProgramBody& body, const Arrangement& arrangement, int task, MPI_Comm communicator, Recorder& recorder,
              Session& session);

}  // namespace tombolo
