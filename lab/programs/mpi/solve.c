/* ScaLAPACK's pdgesv on a grid of ranks: A x = b with a known solution. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void Cblacs_get(int, int, int*);
void Cblacs_gridinit(int*, const char*, int, int);
void Cblacs_gridinfo(int, int*, int*, int*, int*);
void Cblacs_gridexit(int);
int numroc_(const int*, const int*, const int*, const int*, const int*);
void descinit_(int*, const int*, const int*, const int*, const int*, const int*, const int*, const int*, const int*,
               int*);
void pdgesv_(const int*, const int*, double*, const int*, const int*, const int*, int*, double*, const int*, const int*,
             const int*, int*);

static double element(int i, int j) {
  return i == j ? 50 : 1. / (1 + (i * 7 + j * 13) % 31);
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  const int n = count > 1 ? atoi(words[1]) : 768, block = 32, one = 1, zero = 0;
  int rank = 0, ranks = 0, context = 0, height = 0, width = 0, row = 0, column = 0, code = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (height = (int)sqrt(ranks); ranks % height != 0; --height) {
  }
  width = ranks / height;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", height, width);
  Cblacs_gridinfo(context, &height, &width, &row, &column);
  const int rows = numroc_(&n, &block, &row, &zero, &height), columns = numroc_(&n, &block, &column, &zero, &width);
  const int stride = rows > 0 ? rows : 1;
  double* a = malloc(sizeof(double) * (size_t)stride * (size_t)(columns + 1));
  double* b = calloc((size_t)stride, sizeof(double));
  int* pivots = malloc(sizeof(int) * (size_t)(rows + block));
  int of_a[9], of_b[9];
  descinit_(of_a, &n, &n, &block, &block, &zero, &zero, &context, &stride, &code);
  descinit_(of_b, &n, &one, &block, &block, &zero, &zero, &context, &stride, &code);
  for (int i = 0; i < rows; ++i) {
    const int at = (i / block * height + row) * block + i % block;
    for (int j = 0; j < columns; ++j) a[i + j * stride] = element(at, (j / block * width + column) * block + j % block);
    for (int j = 0; column == 0 && j < n; ++j) b[i] += element(at, j);  // the solution is 1 everywhere
  }
  pdgesv_(&n, &one, a, &one, &one, of_a, pivots, b, &one, &one, of_b, &code);
  double worst = 0, all = 0;
  for (int i = 0; column == 0 && i < rows; ++i) worst = fmax(worst, fabs(b[i] - 1));
  MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("pdgesv %d: code %d, %s\n", n, code, all < 1e-9 ? "right" : "wrong");
  MPI_Finalize();
  return 0;
}
