/* Conjugate gradients for the five-point Laplacian, rows of the grid by rank. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int side, first, rows, rank, ranks;

static double dot(const double* a, const double* b) {
  double mine = 0, all = 0;
  for (int i = 0; i < rows * side; ++i) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* p has a row of a neighbour on both sides. */
static void multiply(double* p, double* q) {
  const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  MPI_Sendrecv(p + side, side, MPI_DOUBLE, up, 0, p + (rows + 1) * side, side, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(p + rows * side, side, MPI_DOUBLE, down, 1, p, side, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 1; i <= rows; ++i) {
    for (int j = 0; j < side; ++j) {
      const double* at = p + i * side + j;
      q[(i - 1) * side + j] = 4 * *at - at[-side] - at[side] - (j > 0 ? at[-1] : 0) - (j + 1 < side ? at[1] : 0);
    }
  }
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  side = count > 1 ? atoi(words[1]) : 256;
  first = (int)((long)side * rank / ranks);
  rows = (int)((long)side * (rank + 1) / ranks) - first;
  const int mine = rows * side;
  double* p = calloc((size_t)(rows + 2) * (size_t)side, sizeof(double));
  double *x = calloc((size_t)mine + 1, sizeof(double)), *r = calloc((size_t)mine + 1, sizeof(double)),
         *q = calloc((size_t)mine + 1, sizeof(double));
  for (int i = 0; i < mine; ++i) p[side + i] = r[i] = 1;
  double rho = dot(r, r);
  const double start = rho;
  int iterations = 0;
  while (rho > 1e-16 * start) {
    multiply(p, q);
    const double alpha = rho / dot(p + side, q);
    for (int i = 0; i < mine; ++i) {
      x[i] += alpha * p[side + i];
      r[i] -= alpha * q[i];
    }
    const double last = rho;
    rho = dot(r, r);
    for (int i = 0; i < mine; ++i) p[side + i] = r[i] + rho / last * p[side + i];
    ++iterations;
  }
  const double norm = sqrt(dot(x, x));
  if (rank == 0) printf("side %d: %d iterations, norm %.6e\n", side, iterations, norm);
  MPI_Finalize();
  return 0;
}
