/* Times collective calls of small and large sizes: prints operation, bytes and the median nanoseconds a call of
 * batches, on rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCHES = 25, MOST = 1 << 20 };

static char *in, *out;
static int ranks;

static void call(int operation, int bytes) {
  const int numbers = bytes / 8;
  switch (operation) {
    case 0:
      MPI_Barrier(MPI_COMM_WORLD);
      break;
    case 1:
      MPI_Bcast(in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
      break;
    case 2:
      MPI_Reduce(in, out, numbers, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
      break;
    case 3:
      MPI_Allreduce(in, out, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      break;
    case 4:
      MPI_Scan(in, out, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      break;
    case 5:
      MPI_Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
      break;
    case 6:
      MPI_Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
      break;
    case 7:
      MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
      break;
    case 8:
      MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD);
      break;
    default:
      MPI_Reduce_scatter_block(in, out, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      break;
  }
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int count, char** words) {
  static const char* const names[] = {"barrier", "bcast",   "reduce",    "allreduce", "scan",
                                      "gather",  "scatter", "allgather", "alltoall",  "reduce_scatter_block"};
  static const int sizes[] = {8, 1024, 65536, MOST};
  MPI_Init(&count, &words);
  const double effort = count > 1 ? atof(words[1]) : 1;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  in = calloc((size_t)ranks, MOST);
  out = calloc((size_t)ranks, MOST);
  for (int operation = 0; operation < 10; ++operation) {
    for (int size = 0; size < (operation == 0 ? 1 : 4); ++size) {
      int calls = (int)(effort * 2e6 / (500 + sizes[size]));
      if (calls < 4) calls = 4;
      double times[BATCHES];
      for (int i = 0; i < calls; ++i) call(operation, sizes[size]);
      for (int batch = 0; batch < BATCHES; ++batch) {
        PMPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int i = 0; i < calls; ++i) call(operation, sizes[size]);
        times[batch] = (MPI_Wtime() - begin) / calls;
      }
      qsort(times, BATCHES, sizeof *times, compare);
      if (rank == 0)
        printf("%s %d %.1f\n", names[operation], operation == 0 ? 0 : sizes[size], times[BATCHES / 2] * 1e9);
    }
  }
  MPI_Finalize();
  return 0;
}
