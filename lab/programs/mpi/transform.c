/* FFTW's transform in two dimensions, forth and back: rows by rank, transposed in between. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  MPI_Init(&count, &words);
  fftw_mpi_init();
  const ptrdiff_t side = count > 1 ? atol(words[1]) : 512;
  const int times = count > 2 ? atoi(words[2]) : 20;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ptrdiff_t rows = 0, first = 0;
  const ptrdiff_t room = fftw_mpi_local_size_2d(side, side, MPI_COMM_WORLD, &rows, &first);
  fftw_complex* data = fftw_alloc_complex((size_t)room);
  const fftw_plan forth = fftw_mpi_plan_dft_2d(side, side, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
  const fftw_plan back = fftw_mpi_plan_dft_2d(side, side, data, data, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (ptrdiff_t i = 0; i < rows * side; ++i) data[i] = (double)((first * side + i) % 1009);
  double energy = 0;
  for (int time = 0; time < times; ++time) {
    fftw_execute(forth);
    double mine = 0;
    for (ptrdiff_t i = 0; i < rows * side; ++i) mine += creal(data[i] * conj(data[i]));
    MPI_Allreduce(&mine, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    fftw_execute(back);
    for (ptrdiff_t i = 0; i < rows * side; ++i) data[i] /= (double)(side * side);
  }
  double worst = 0, all = 0;
  for (ptrdiff_t i = 0; i < rows * side; ++i) worst = fmax(worst, cabs(data[i] - (double)((first * side + i) % 1009)));
  MPI_Reduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("energy %.9e, %s\n", energy, all < 1e-8 ? "right" : "wrong");
  MPI_Finalize();
  return 0;
}
