/* The Fourier transform of a square, forth and back: of the rows of each rank, and of its columns after an alltoall. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
/* The side is a power of two; ranks have equal numbers of rows, and blocks of columns, the last of which are empty. */
static int side, rows, wide, ranks;

/* Of a row, in place. */
static void transform(double complex* a, int sign) {
  for (int i = 1, j = 0; i < side; ++i) {
    int bit = side / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) {
      const double complex held = a[i];
      a[i] = a[j];
      a[j] = held;
    }
  }
  for (int length = 2; length <= side; length *= 2) {
    const double complex step = cexp(sign * 2 * pi * I / length);
    for (int begin = 0; begin < side; begin += length) {
      double complex factor = 1;
      for (int i = begin; i < begin + length / 2; ++i, factor *= step) {
        const double complex even = a[i], odd = factor * a[i + length / 2];
        a[i] = even + odd;
        a[i + length / 2] = even - odd;
      }
    }
  }
}

/* Rows become columns: block by block by alltoall, and inside of blocks. */
static void transpose(double complex* a, double complex* b) {
  for (int to = 0; to < ranks; ++to) {
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < rows; ++i) b[(to * rows + j) * rows + i] = a[i * wide + to * rows + j];
    }
  }
  MPI_Alltoall(b, rows * rows, MPI_C_DOUBLE_COMPLEX, a, rows * rows, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
  for (int from = 0; from < ranks; ++from) {
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < rows; ++i) b[j * wide + from * rows + i] = a[(from * rows + j) * rows + i];
    }
  }
  for (int i = 0; i < rows * wide; ++i) a[i] = b[i];
}

static void transform_square(double complex* a, double complex* b, int sign) {
  for (int i = 0; i < rows; ++i) transform(a + i * wide, sign);
  transpose(a, b);
  for (int i = 0; i < rows; ++i) transform(a + i * wide, sign);
  transpose(a, b);
}

/* What stands at place i of this rank's rows at first. */
static double first(int rank, int i) {
  const int row = rank * rows + i / wide, column = i % wide;
  return row < side && column < side ? (row * side + column) % 1009 : 0;
}

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int least = count > 1 ? atoi(words[1]) : 512, times = count > 2 ? atoi(words[2]) : 10;
  for (side = 1; side < least; side *= 2) continue;
  rows = (side + ranks - 1) / ranks;
  wide = rows * ranks;
  const int mine = rows * wide;
  double complex *a = calloc((size_t)mine, sizeof *a), *b = calloc((size_t)mine, sizeof *b);
  for (int i = 0; i < mine; ++i) a[i] = first(rank, i);
  double energy = 0, worst = 0, all = 0;
  for (int time = 0; time < times; ++time) {
    transform_square(a, b, 1);
    double sum = 0;
    for (int i = 0; i < mine; ++i) sum += creal(a[i] * conj(a[i]));
    MPI_Allreduce(&sum, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    transform_square(a, b, -1);
    for (int i = 0; i < mine; ++i) a[i] /= (double)side * side;
  }
  for (int i = 0; i < mine; ++i) worst = fmax(worst, cabs(a[i] - first(rank, i)));
  MPI_Reduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("side %d, energy %.6e, %s\n", side, energy, all < 1e-6 ? "right" : "wrong");
  free(a);
  free(b);
  MPI_Finalize();
  return 0;
}
