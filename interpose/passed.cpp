// Collectives that always pass through, by both of their names, to be counted: non-blocking and persistent ones, which
// have to progress inside other calls (docs/decisions.md), and those with a datatype for each rank.
#include <tombolo/interpose/collectives.hpp>

namespace interpose = tombolo::interpose;
using interpose::Reason;
using tombolo::Operation;

#define TOMBOLO_UNPACK(...) __VA_ARGS__

// With the parameters that the functions share with the blocking one, but the communicator.
#define TOMBOLO_EXPORT_NOT_BLOCKING(NAME, OPERATION, PARAMETERS, ARGUMENTS)               \
  TOMBOLO_EXPORT(NAME, (TOMBOLO_UNPACK PARAMETERS, MPI_Comm comm, MPI_Request * request), \
                 (TOMBOLO_UNPACK ARGUMENTS, comm, request),                               \
                 interpose::pass(Operation::OPERATION, Reason::not_blocking, comm, native))
#define TOMBOLO_EXPORT_PERSISTENT(NAME, OPERATION, PARAMETERS, ARGUMENTS)                                \
  TOMBOLO_EXPORT(NAME, (TOMBOLO_UNPACK PARAMETERS, MPI_Comm comm, MPI_Info info, MPI_Request * request), \
                 (TOMBOLO_UNPACK ARGUMENTS, comm, info, request),                                        \
                 interpose::pass(Operation::OPERATION, Reason::persistent, comm, native))
#if MPI_VERSION >= 4
#define TOMBOLO_EXPORT_LATER(NAME, PERSISTENT, ...) \
  TOMBOLO_EXPORT_NOT_BLOCKING(NAME, __VA_ARGS__) TOMBOLO_EXPORT_PERSISTENT(PERSISTENT, __VA_ARGS__)
#else
#define TOMBOLO_EXPORT_LATER(NAME, PERSISTENT, ...) TOMBOLO_EXPORT_NOT_BLOCKING(NAME, __VA_ARGS__)
#endif

TOMBOLO_EXPORT(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request),
               interpose::pass(Operation::barrier, Reason::not_blocking, comm, native))
#if MPI_VERSION >= 4
TOMBOLO_EXPORT(Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request* request), (comm, info, request),
               interpose::pass(Operation::barrier, Reason::persistent, comm, native))
#endif

// The functions with counts, in the two widths that MPI 4 has.
#define TOMBOLO_EXPORT_PASSED(SUFFIX, COUNT, DISPLACEMENT)                                                             \
  TOMBOLO_EXPORT_LATER(Ibcast##SUFFIX, Bcast_init##SUFFIX, bcast,                                                      \
                       (void* buffer, COUNT count, MPI_Datatype type, int root), (buffer, count, type, root))          \
  TOMBOLO_EXPORT_LATER(Ireduce##SUFFIX, Reduce_init##SUFFIX, reduce,                                                   \
                       (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op, int root),               \
                       (in, out, count, type, op, root))                                                               \
  TOMBOLO_EXPORT_LATER(Iallreduce##SUFFIX, Allreduce_init##SUFFIX, allreduce,                                          \
                       (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op),                         \
                       (in, out, count, type, op))                                                                     \
  TOMBOLO_EXPORT_LATER(Iscan##SUFFIX, Scan_init##SUFFIX, scan,                                                         \
                       (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op),                         \
                       (in, out, count, type, op))                                                                     \
  TOMBOLO_EXPORT_LATER(Iexscan##SUFFIX, Exscan_init##SUFFIX, exscan,                                                   \
                       (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op),                         \
                       (in, out, count, type, op))                                                                     \
  TOMBOLO_EXPORT_LATER(Ireduce_scatter_block##SUFFIX, Reduce_scatter_block_init##SUFFIX, reduce_scatter,               \
                       (const void* in, void* out, COUNT count, MPI_Datatype type, MPI_Op op),                         \
                       (in, out, count, type, op))                                                                     \
  TOMBOLO_EXPORT_LATER(Ireduce_scatter##SUFFIX, Reduce_scatter_init##SUFFIX, reduce_scatter,                           \
                       (const void* in, void* out, const COUNT* counts, MPI_Datatype type, MPI_Op op),                 \
                       (in, out, counts, type, op))                                                                    \
  TOMBOLO_EXPORT_LATER(Igather##SUFFIX, Gather_init##SUFFIX, gatherv,                                                  \
                       (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count,              \
                        MPI_Datatype out_type, int root),                                                              \
                       (in, in_count, in_type, out, out_count, out_type, root))                                        \
  TOMBOLO_EXPORT_LATER(Iscatter##SUFFIX, Scatter_init##SUFFIX, scatterv,                                               \
                       (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count,              \
                        MPI_Datatype out_type, int root),                                                              \
                       (in, in_count, in_type, out, out_count, out_type, root))                                        \
  TOMBOLO_EXPORT_LATER(                                                                                                \
      Iallgather##SUFFIX, Allgather_init##SUFFIX, allgatherv,                                                          \
      (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count, MPI_Datatype out_type),       \
      (in, in_count, in_type, out, out_count, out_type))                                                               \
  TOMBOLO_EXPORT_LATER(                                                                                                \
      Ialltoall##SUFFIX, Alltoall_init##SUFFIX, alltoallv,                                                             \
      (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, COUNT out_count, MPI_Datatype out_type),       \
      (in, in_count, in_type, out, out_count, out_type))                                                               \
  TOMBOLO_EXPORT_LATER(Igatherv##SUFFIX, Gatherv_init##SUFFIX, gatherv,                                                \
                       (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, const COUNT* counts,          \
                        const DISPLACEMENT* places, MPI_Datatype out_type, int root),                                  \
                       (in, in_count, in_type, out, counts, places, out_type, root))                                   \
  TOMBOLO_EXPORT_LATER(Iscatterv##SUFFIX, Scatterv_init##SUFFIX, scatterv,                                             \
                       (const void* in, const COUNT* counts, const DISPLACEMENT* places, MPI_Datatype in_type,         \
                        void* out, COUNT out_count, MPI_Datatype out_type, int root),                                  \
                       (in, counts, places, in_type, out, out_count, out_type, root))                                  \
  TOMBOLO_EXPORT_LATER(Iallgatherv##SUFFIX, Allgatherv_init##SUFFIX, allgatherv,                                       \
                       (const void* in, COUNT in_count, MPI_Datatype in_type, void* out, const COUNT* counts,          \
                        const DISPLACEMENT* places, MPI_Datatype out_type),                                            \
                       (in, in_count, in_type, out, counts, places, out_type))                                         \
  TOMBOLO_EXPORT_LATER(Ialltoallv##SUFFIX, Alltoallv_init##SUFFIX, alltoallv,                                          \
                       (const void* in, const COUNT* in_counts, const DISPLACEMENT* in_places, MPI_Datatype in_type,   \
                        void* out, const COUNT* out_counts, const DISPLACEMENT* out_places, MPI_Datatype out_type),    \
                       (in, in_counts, in_places, in_type, out, out_counts, out_places, out_type))                     \
  TOMBOLO_EXPORT(                                                                                                      \
      Alltoallw##SUFFIX,                                                                                               \
      (const void* in, const COUNT* in_counts, const DISPLACEMENT* in_places, const MPI_Datatype* in_types, void* out, \
       const COUNT* out_counts, const DISPLACEMENT* out_places, const MPI_Datatype* out_types, MPI_Comm comm),         \
      (in, in_counts, in_places, in_types, out, out_counts, out_places, out_types, comm),                              \
      interpose::pass(Operation::alltoallv, Reason::types, comm, native))

TOMBOLO_EXPORT_PASSED(, int, int)
#if MPI_VERSION >= 4
TOMBOLO_EXPORT_PASSED(_c, MPI_Count, MPI_Aint)
#endif
