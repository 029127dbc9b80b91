// C = A B of random matrices, as the papers have it, but with equal shares: the twin of `tombolo matmul --size N`.
//
//   matmul --size N
//
// Prints the sum of C's elements twice: as computed, and as the sums of A's columns and B's rows say it is.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <cblas.h>

#include "twin.hpp"

namespace {

void matmul(int argc, char** argv, int rank, int ranks) {
  const auto n = static_cast<int>(whole_option(argc, argv, "--size", 1000));
  const auto size = static_cast<std::size_t>(n);
  std::vector<int> counts(static_cast<std::size_t>(ranks), n / ranks);
  for (int r = 0; r < n % ranks; ++r) ++counts[static_cast<std::size_t>(r)];
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  const int mine = counts[static_cast<std::size_t>(rank)];
  MPI_Datatype row = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(n, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);

  std::vector<double> a(rank == 0 ? size * size : static_cast<std::size_t>(mine) * size);
  std::vector<double> b(size * size);
  std::vector<double> c(a.size());
  if (rank == 0) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (double& x : a) x = uniform(random);
    for (double& x : b) x = uniform(random);
  }

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  MPI_Scatterv(a.data(), counts.data(), starts.data(), row, rank == 0 ? MPI_IN_PLACE : a.data(), mine, row, 0,
               MPI_COMM_WORLD);
  MPI_Bcast(b.data(), n, row, 0, MPI_COMM_WORLD);
  const int step = std::max(n, 1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, mine, n, n, 1, a.data(), step, b.data(), step, 0, c.data(),
              step);
  MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : c.data(), mine, row, c.data(), counts.data(), starts.data(), row, 0,
              MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - start;

  MPI_Type_free(&row);
  if (rank != 0) return;
  std::vector<double> columns(size);
  for (std::size_t i = 0; i < size * size; ++i) columns[i % size] += a[i];
  double expected = 0;
  for (std::size_t i = 0; i < size * size; ++i) expected += columns[i / size] * b[i];
  std::printf("checksum %.17g expected %.17g seconds %.6f\n", std::accumulate(c.begin(), c.end(), 0.0), expected,
              seconds);
}

}  // namespace

int main(int argc, char** argv) {
  return run_twin(argc, argv, matmul);
}
