/* So many allreduces; into each of the first twenty another rank comes 20 ms late. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0, ranks = 1, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int calls = count > 1 ? atoi(words[1]) : 20;
  for (int call = 0; call < calls; ++call) {
    const struct timespec late = {0, 20000000};
    if (call < 20 && call % ranks == rank) nanosleep(&late, NULL);
    int sum = 0;
    MPI_Allreduce(&call, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum != call * ranks;
  }
  if (rank == 0) printf("%d wrong\n", wrong);
  MPI_Finalize();
  return 0;
}
