// Conjugate gradients for A x = b, b all ones: the twin of examples/cg.cpp.
//
//   cg MATRIX.mtx X.npy [--tolerance X] [--iterations N]
//
// Rank 0 reads A, a symmetric positive definite matrix, and hands out rows. Ends when |r| <= X |b|, or after N
// iterations.
#include <cmath>
#include <numeric>
#include <vector>

#include "examples/matrix_market.hpp"
#include "npy.hpp"
#include "twin.hpp"

namespace {

/// Rows of A that a rank has.
struct Rows {
  std::vector<std::int64_t> first, column;
  std::vector<double> value;
};

/// Hands out the rows of a matrix on rank 0: rank r gets rows [starts[r], starts[r] + counts[r]).
Rows scatter(const SymmetricMatrix& matrix, const std::vector<int>& counts, const std::vector<int>& starts, int rank) {
  std::vector<MPI_Count> entries(counts.size());
  std::vector<MPI_Aint> places(counts.size());
  std::vector<std::int64_t> lengths;
  if (rank == 0) {
    for (std::size_t i = 0; i + 1 < matrix.first.size(); ++i) {
      lengths.push_back(matrix.first[i + 1] - matrix.first[i]);
    }
    for (std::size_t r = 0; r < counts.size(); ++r) {
      places[r] = matrix.first[static_cast<std::size_t>(starts[r])];
      entries[r] = matrix.first[static_cast<std::size_t>(starts[r] + counts[r])] - places[r];
    }
  }
  const int mine = counts[static_cast<std::size_t>(rank)];
  Rows rows{.first = std::vector<std::int64_t>(static_cast<std::size_t>(mine) + 1), .column = {}, .value = {}};
  MPI_Scatterv(lengths.data(), counts.data(), starts.data(), MPI_INT64_T, rows.first.data() + 1, mine, MPI_INT64_T, 0,
               MPI_COMM_WORLD);
  std::partial_sum(rows.first.begin(), rows.first.end(), rows.first.begin());
  const std::int64_t total = rows.first.back();
  rows.column.resize(static_cast<std::size_t>(total));
  rows.value.resize(static_cast<std::size_t>(total));
  MPI_Scatterv_c(matrix.column.data(), entries.data(), places.data(), MPI_INT64_T, rows.column.data(), total,
                 MPI_INT64_T, 0, MPI_COMM_WORLD);
  MPI_Scatterv_c(matrix.value.data(), entries.data(), places.data(), MPI_DOUBLE, rows.value.data(), total, MPI_DOUBLE,
                 0, MPI_COMM_WORLD);
  return rows;
}

double dot(const double* a, const double* b, std::size_t count) {
  double sum = std::inner_product(a, a + count, b, 0.0);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

void conjugate_gradients(int argc, char** argv, int rank, int ranks) {
  const std::string path = argument(argc, argv, 1, "the matrix, MATRIX.mtx,");
  const std::string out = argument(argc, argv, 2, "the solution, X.npy,");
  const double tolerance = option(argc, argv, "--tolerance", 1e-10);
  const std::int64_t iterations = whole_option(argc, argv, "--iterations", 10'000);
  SymmetricMatrix matrix;
  if (rank == 0) matrix = read_matrix_market(path);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();

  auto n = static_cast<int>(matrix.first.size()) - 1;
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<int> counts(static_cast<std::size_t>(ranks), n / ranks);
  for (int r = 0; r < n % ranks; ++r) ++counts[static_cast<std::size_t>(r)];
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  const Rows rows = scatter(matrix, counts, starts, rank);
  const auto mine = rows.first.size() - 1;

  std::vector<double> x(mine), r(mine, 1.0), ap(mine);
  std::vector<double> p(static_cast<std::size_t>(n), 1.0);  // all of it on every rank
  double* my_p = p.data() + starts[static_cast<std::size_t>(rank)];
  double rr = n;
  std::int64_t done = 0;
  for (; done < iterations && std::sqrt(rr) > tolerance * std::sqrt(n); ++done) {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, p.data(), counts.data(), starts.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < mine; ++i) {
      double sum = 0;
      for (auto e = static_cast<std::size_t>(rows.first[i]); e < static_cast<std::size_t>(rows.first[i + 1]); ++e) {
        sum += rows.value[e] * p[static_cast<std::size_t>(rows.column[e])];
      }
      ap[i] = sum;
    }
    const double alpha = rr / dot(my_p, ap.data(), mine);
    for (std::size_t i = 0; i < mine; ++i) {
      x[i] += alpha * my_p[i];
      r[i] -= alpha * ap[i];
    }
    const double before = rr;
    rr = dot(r.data(), r.data(), mine);
    for (std::size_t i = 0; i < mine; ++i) my_p[i] = r[i] + rr / before * my_p[i];
  }
  MPI_Gatherv(x.data(), counts[static_cast<std::size_t>(rank)], MPI_DOUBLE, p.data(), counts.data(), starts.data(),
              MPI_DOUBLE, 0, MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - start;

  if (rank != 0) return;
  std::ofstream file(out, std::ios::binary);
  file << npy_header(n, 1);
  file.write(reinterpret_cast<const char*>(p.data()), static_cast<std::streamsize>(p.size() * sizeof(double)));
  if (!file.flush()) throw std::runtime_error(out + " cannot be written; look at its folder and its disk");
  std::printf("iterations %ld residual %.17g seconds %.6f\n", done, n > 0 ? std::sqrt(rr / n) : 0.0, seconds);
}

}  // namespace

int main(int argc, char** argv) {
  return run_twin(argc, argv, conjugate_gradients);
}
