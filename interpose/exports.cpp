// The functions that this library hides, by both of their names: MPI_X, as programs call it, and PMPI_X, as tools and
// Open MPI's Fortran functions do. Each passes through to the next function of the same name.
#include <string>

#include <tombolo/interpose/collectives.hpp>
#include <tombolo/interpose/loading.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/attempt.hpp>

namespace interpose = tombolo::interpose;
using tombolo::Operation;

namespace {

template <class Count>
interpose::Side<Count> side(const void* buffer, Count count, MPI_Datatype type) {
  return {buffer, count, type};
}

template <class Count, class Displacement>
interpose::BlockedSide<Count, Displacement> side(const void* buffer, const Count* counts, const Displacement* places,
                                                 MPI_Datatype type) {
  return {buffer, counts, places, type};
}

// A program that calls MPI_Init_thread enters twice where MPI's own function calls the other by a name hidden here.
void with_library(void (interpose::Library::*work)()) {
  if (interpose::Inside::now()) return;
  const interpose::Inside inside;
  const std::string failure = tombolo::attempt([&] { (interpose::Library::get().*work)(); });
  if (!failure.empty()) interpose::end_run(failure);
}

template <class Native>
int start(Native native, const void* caller) {
  if (!interpose::Inside::now() && !tombolo::machine::simulated()) {
    interpose::refuse_other_library(caller);
    interpose::load_for_ranks_alone();
  }
  const int code = native();
  if (code == MPI_SUCCESS) with_library(&interpose::Library::start);
  return code;
}

void finish() {
  with_library(&interpose::Library::finish);
}

}  // namespace

TOMBOLO_EXPORT(Init, (int* argc, char*** argv), (argc, argv), start(native, __builtin_return_address(0)))
TOMBOLO_EXPORT(Init_thread, (int* argc, char*** argv, int required, int* provided), (argc, argv, required, provided),
               start(native, __builtin_return_address(0)))
TOMBOLO_EXPORT(Finalize, (), (), (finish(), native()))
TOMBOLO_EXPORT(Comm_free, (MPI_Comm * comm), (comm), interpose::free_natively(native))
TOMBOLO_EXPORT(Comm_disconnect, (MPI_Comm * comm), (comm), interpose::free_natively(native))
TOMBOLO_EXPORT(Barrier, (MPI_Comm comm), (comm), interpose::barrier(comm, native))

// The functions with counts, in the two widths that MPI 4 has.
#define TOMBOLO_EXPORT_COUNTS(SUFFIX, COUNT, DISPLACEMENT)                                                             \
  TOMBOLO_EXPORT(Bcast##SUFFIX, (void* buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm),               \
                 (buffer, count, type, root, comm), interpose::bcast(buffer, count, type, root, comm, native))         \
  TOMBOLO_EXPORT(                                                                                                      \
      Reduce##SUFFIX, (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm), \
      (in, out, count, type, op, root, comm), interpose::reduce(in, out, count, type, op, root, comm, native))         \
  TOMBOLO_EXPORT(Allreduce##SUFFIX,                                                                                    \
                 (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                \
                 (in, out, count, type, op, comm),                                                                     \
                 interpose::combine_everywhere(Operation::allreduce, in, out, count, type, op, comm, native))          \
  TOMBOLO_EXPORT(Scan##SUFFIX, (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),  \
                 (in, out, count, type, op, comm),                                                                     \
                 interpose::combine_everywhere(Operation::scan, in, out, count, type, op, comm, native))               \
  TOMBOLO_EXPORT(Exscan##SUFFIX,                                                                                       \
                 (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                \
                 (in, out, count, type, op, comm),                                                                     \
                 interpose::combine_everywhere(Operation::exscan, in, out, count, type, op, comm, native))             \
  TOMBOLO_EXPORT(Reduce_scatter##SUFFIX,                                                                               \
                 (const void* in, void* out, const COUNT* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),        \
                 (in, out, counts, type, op, comm),                                                                    \
                 interpose::reduce_scatter(in, out, counts, type, op, comm, native))                                   \
  TOMBOLO_EXPORT(Reduce_scatter_block##SUFFIX,                                                                         \
                 (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                \
                 (in, out, count, type, op, comm),                                                                     \
                 interpose::reduce_scatter_block(in, out, count, type, op, comm, native))                              \
  TOMBOLO_EXPORT(                                                                                                      \
      Gather##SUFFIX,                                                                                                  \
      (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count, MPI_Datatype out_type,        \
       int root, MPI_Comm comm),                                                                                       \
      (in, in_count, in_type, out, out_count, out_type, root, comm),                                                   \
      interpose::gather(side(in, in_count, in_type), side<COUNT>(out, out_count, out_type), root, comm, native))       \
  TOMBOLO_EXPORT(                                                                                                      \
      Scatter##SUFFIX,                                                                                                 \
      (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count, MPI_Datatype out_type,        \
       int root, MPI_Comm comm),                                                                                       \
      (in, in_count, in_type, out, out_count, out_type, root, comm),                                                   \
      interpose::scatter(side(in, in_count, in_type), side<COUNT>(out, out_count, out_type), root, comm, native))      \
  TOMBOLO_EXPORT(                                                                                                      \
      Gatherv##SUFFIX,                                                                                                 \
      (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, const COUNT* counts,                           \
       const DISPLACEMENT* places, MPI_Datatype out_type, int root, MPI_Comm comm),                                    \
      (in, in_count, in_type, out, counts, places, out_type, root, comm),                                              \
      interpose::gather(side(in, in_count, in_type), side(out, counts, places, out_type), root, comm, native))         \
  TOMBOLO_EXPORT(Scatterv##SUFFIX,                                                                                     \
                 (const void* in, const COUNT* counts, const DISPLACEMENT* places, MPI_Datatype in_type, void* out,    \
                  COUNT out_count, MPI_Datatype out_type, int root, MPI_Comm comm),                                    \
                 (in, counts, places, in_type, out, out_count, out_type, root, comm),                                  \
                 interpose::scatter(side(in, counts, places, in_type), side<COUNT>(out, out_count, out_type), root,    \
                                    comm, native))                                                                     \
  TOMBOLO_EXPORT(                                                                                                      \
      Allgather##SUFFIX,                                                                                               \
      (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count, MPI_Datatype out_type,        \
       MPI_Comm comm),                                                                                                 \
      (in, in_count, in_type, out, out_count, out_type, comm),                                                         \
      interpose::allgather(side(in, in_count, in_type), side<COUNT>(out, out_count, out_type), comm, native))          \
  TOMBOLO_EXPORT(Allgatherv##SUFFIX,                                                                                   \
                 (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, const COUNT* counts,                \
                  const DISPLACEMENT* places, MPI_Datatype out_type, MPI_Comm comm),                                   \
                 (in, in_count, in_type, out, counts, places, out_type, comm),                                         \
                 interpose::allgather(side(in, in_count, in_type), side(out, counts, places, out_type), comm, native)) \
  TOMBOLO_EXPORT(                                                                                                      \
      Alltoall##SUFFIX,                                                                                                \
      (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count, MPI_Datatype out_type,        \
       MPI_Comm comm),                                                                                                 \
      (in, in_count, in_type, out, out_count, out_type, comm),                                                         \
      interpose::alltoall(side(in, in_count, in_type), side<COUNT>(out, out_count, out_type), comm, native))           \
  TOMBOLO_EXPORT(                                                                                                      \
      Alltoallv##SUFFIX,                                                                                               \
      (const void* in, const COUNT* in_counts, const DISPLACEMENT* in_places, MPI_Datatype in_type, void* out,         \
       const COUNT* out_counts, const DISPLACEMENT* out_places, MPI_Datatype out_type, MPI_Comm comm),                 \
      (in, in_counts, in_places, in_type, out, out_counts, out_places, out_type, comm),                                \
      interpose::alltoallv(side(in, in_counts, in_places, in_type), side(out, out_counts, out_places, out_type), comm, \
                           native))

TOMBOLO_EXPORT_COUNTS(, int, int)
#if MPI_VERSION >= 4
TOMBOLO_EXPORT_COUNTS(_c, MPI_Count, MPI_Aint)
#endif
