/* Loaded with a program: a tool that counts calls, by PMPI_ functions, and itself makes some. */
#include <mpi.h>
#include <stdio.h>

static int calls;

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++calls;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Init(int* count, char*** words) {
  const int code = PMPI_Init(count, words);
  PMPI_Barrier(MPI_COMM_WORLD);
  return code;
}

int MPI_Finalize(void) {
  int rank = 0;
  int all = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(&calls, &all, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d calls\n", all);
    (void)fflush(stdout);
  }
  return PMPI_Finalize();
}
