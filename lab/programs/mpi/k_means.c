/* K-means of made-up points: centres by broadcast, sums and numbers of their points by allreduce, labels by gather. */
#include <float.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { points = 200, dimensions = 64, centres = 128 };

static double x[points][dimensions], centre[centres][dimensions], sums[centres][dimensions], numbers[centres];
static int label[points];

static int nearest(const double* point) {
  int best = 0;
  double least = DBL_MAX;
  for (int k = 0; k < centres; ++k) {
    double distance = 0;
    for (int d = 0; d < dimensions; ++d) distance += (point[d] - centre[k][d]) * (point[d] - centre[k][d]);
    if (distance < least) {
      least = distance;
      best = k;
    }
  }
  return best;
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  const int rounds = count > 1 ? atoi(words[1]) : 40;
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long state = 12345 + 1000003L * rank;
  for (int i = 0; i < points; ++i) {
    for (int d = 0; d < dimensions; ++d) {
      state = (state * 1103515245 + 12345) % 2147483648L;
      x[i][d] = (double)(state / 2097152); /* small integers: sums are exact in any order */
    }
  }
  if (rank == 0) memcpy(centre, x, sizeof centre);
  MPI_Bcast(centre, dimensions * centres, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round) {
    memset(sums, 0, sizeof sums);
    memset(numbers, 0, sizeof numbers);
    for (int i = 0; i < points; ++i) {
      label[i] = nearest(x[i]);
      for (int d = 0; d < dimensions; ++d) sums[label[i]][d] += x[i][d];
      ++numbers[label[i]];
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, dimensions * centres, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, numbers, centres, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; k < centres; ++k) {
      for (int d = 0; d < dimensions && numbers[k] > 0; ++d) centre[k][d] = sums[k][d] / numbers[k];
    }
  }
  int* const labels = malloc(sizeof(int) * points * (size_t)ranks);
  MPI_Gather(label, points, MPI_INT, labels, points, MPI_INT, 0, MPI_COMM_WORLD);
  long total = 0;
  for (int i = 0; rank == 0 && i < points * ranks; ++i) total = (total * 31 + labels[i]) % 1000000007;
  if (rank == 0) printf("labels %ld, centre %.16e\n", total, centre[0][0]);
  free(labels);
  MPI_Finalize();
  return 0;
}
