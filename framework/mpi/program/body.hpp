#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/framework/mpi/program/array_memory.hpp>
#include <tombolo/framework/program/declaration.hpp>

namespace tombolo {

/// What a program does beside what is declared of it. By number, as in the declaration.
struct ProgramBody {
  Declaration declared;
  std::vector<std::shared_ptr<ArrayMemory>> arrays = {};

  struct Work {
    std::function<void(const Slice&)> on_slice = {};   ///< compute, farm
    std::function<void(Collectives&)> by_itself = {};  ///< own
    MPI_Op op = MPI_OP_NULL;                           ///< allreduce
  };
  std::vector<Work> works = {};                   ///< of each task
  std::vector<std::function<bool()>> stops = {};  ///< of each loop; may be empty
  std::vector<bool> adapts = {};                  ///< of each slices, whether shares may change in mid-run

  const DeclaredTask& task(int number) const { return declared.tasks[static_cast<std::size_t>(number)]; }
  ArrayMemory& array(int number) const { return *arrays[static_cast<std::size_t>(number)]; }
};

}  // namespace tombolo
